"""The sign-in of a browser at the issuer: authorization code with PKCE, bound to the browser by a sealed cookie."""

import hmac
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from jwt import PyJWT
from jwt.exceptions import PyJWTError

from app.auth.authentication import InvalidToken
from app.auth.login.attempt import Attempt, new_secret
from app.auth.login.sign_in_place import SignInPlace
from app.auth.login.token_request import IssuedTokens, SignInRefused
from app.auth.oidc.claims import VerifiedToken
from app.auth.oidc.issuer_http import IssuerHttp
from app.auth.oidc.issuer_tokens import IssuerTokens
from app.auth.sessions.issuer_place import IssuerPlace
from app.auth.sessions.seal import Seal
from indexer.errors import Authentication, Authorization

_log = logging.getLogger(__name__)
_PURPOSE: Final = b"trawl sign-in"
_NAME: Final = "attempt"
SECONDS: Final = 600
"""How long a sign-in may take."""


class NoAttempt(Authentication):
    """The answer fits no sign-in that this browser began a short time ago."""

    def __init__(self) -> None:
        super().__init__("This is no answer to a sign-in that is under way", action="Sign in again")


class NotAdmitted(Authorization):
    """The person signed in at the issuer, and may not use this service."""

    def __init__(self) -> None:
        super().__init__("This account may not use this service", action="Ask the operator of this service")


class Kept(NamedTuple):
    """What the browser keeps of a sign-in, and cannot read."""

    state: str
    nonce: str
    verifier: str
    next: str
    """Where it goes afterwards."""
    until: float


class IssuerFlow:
    """Begins and finishes sign-ins. Nothing of them is stored: the browser keeps it, and cannot read it."""

    def __init__(
        self,
        tokens: IssuerTokens,
        http: IssuerHttp,
        place: IssuerPlace,
        keys: tuple[bytes, ...],
        *,
        redirect_uri: str,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Take the service's secret keys, the current one first."""
        self._tokens = tokens
        self._http = http
        self._place = place
        self._seal = Seal(keys, _PURPOSE)
        self._redirect_uri = redirect_uri
        self._now = now

    async def begin(self, next_path: str) -> tuple[str, str]:
        """Return the address at the issuer, and the cookie that the answer must come with."""
        place = await self._place.get()
        state, nonce = new_secret(), new_secret()
        attempt = Attempt(self._redirect_uri, state, nonce)
        kept = Kept(state, nonce, attempt.verifier, next_path, self._now() + SECONDS)
        return attempt.address(place, place.scope(())), self._seal.seal(kept, _NAME)

    def kept(self, cookie: str | None) -> Kept | None:
        """Return what the browser kept; None if it began no sign-in a short time ago."""
        opened = None if cookie is None else self._seal.open(cookie, _NAME)
        kept = None if opened is None else Kept(*opened)
        return None if kept is None or kept.until <= self._now() else kept

    async def finish(self, kept: Kept | None, answer: Mapping[str, str]) -> tuple[IssuedTokens, VerifiedToken]:
        """Change the code in the answer for tokens, and return them with what the access token says.

        `NoAttempt`, `SignInRefused` by the issuer, `NotAdmitted` by this service, or `IssuerUnavailable`.
        """
        given = answer.get("state", "").encode("utf-8", "surrogatepass")
        if kept is None or not hmac.compare_digest(kept.state.encode(), given):
            raise NoAttempt
        place = await self._place.get()
        attempt = Attempt(self._redirect_uri, kept.state, kept.nonce, kept.verifier)
        issued = await attempt.finish(self._http, place, answer)
        if issued.id_token is not None:
            _check_id_token(issued.id_token, place, kept.nonce)
        return issued, await self._verified(issued)

    async def _verified(self, issued: IssuedTokens) -> VerifiedToken:
        try:
            verified = await self._tokens.verify(issued.access_token)
        except InvalidToken as error:
            # The person cannot mend it: often the issuer's client is set up for another audience.
            _log.warning("The issuer's token is not accepted: %s", error.message, extra={"part": "issuer"})
            raise NotAdmitted from None
        if not verified.teams:
            raise NotAdmitted
        return verified


def _check_id_token(id_token: str, place: SignInPlace, nonce: str) -> None:
    """Refuse tokens that another sign-in led to."""
    try:
        # It came by TLS from the issuer itself, which stands for its signature (OpenID Connect Core 3.1.3.7).
        claims: Mapping[str, Any] = PyJWT().decode(id_token, options={"verify_signature": False})
    except PyJWTError:
        raise SignInRefused("id_token") from None
    audience = claims.get("aud")
    is_ours = place.client_id in (audience if isinstance(audience, list) else [audience])
    is_answer = hmac.compare_digest(str(claims.get("nonce")).encode("utf-8", "surrogatepass"), nonce.encode())
    if not is_ours or not is_answer or claims.get("iss") != place.metadata.issuer:
        raise SignInRefused("id_token")
