"""Decides who sends a request: by its token or its session, or as nobody in particular while authentication is off."""

import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeVar

from starlette.datastructures import Headers
from starlette.types import Scope

from app.auth.bearer import bearer_token
from app.auth.forwarded import TokenRule
from app.auth.team_choice import choose_team, drop_team_parameter, requested_team
from app.auth.token_verifier import TokenVerifier
from app.principals import ANONYMOUS, LOCAL
from app.settings import AppSettings
from indexer.errors import Authentication
from indexer.tenancy import Principal, team_id
from mcp_server.access.limits.failed_attempts import FailedAttempts
from mcp_server.access.token_format import PREFIX
from mcp_server.access.token_store import TokenRecord

R = TypeVar("R")
_MAX_CLIENT: Final = 100
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request comes from."""

    client: str
    address: str


class OtherTokens(Protocol):
    """Verifies tokens that somebody else issued."""

    async def principal(self, token: str, team: str | None, origin: Origin) -> Principal:
        """Return the principal of a valid token, in the team that it chose; `Authentication` for any other."""


class Sessions(Protocol):
    """Verifies the cookies of browsers in which somebody is signed in."""

    def cookie_of(self, scope: Scope) -> str | None:
        """Return the cookie of a request; None if it has none, or if cookies do not count at its path."""

    async def principal(self, cookie: str, team: str | None, origin: Origin) -> Principal:
        """Return the principal of a session, in the team that it chose; `SessionEnded` if there is none any more."""

    def check_csrf(self, cookie: str, scope: Scope) -> None:
        """Raise `Authorization` unless the request has the CSRF token of the session."""


class RequestAuthentication:
    """Authenticates requests by the settings."""

    def __init__(
        self,
        settings: AppSettings,
        verifier: TokenVerifier,
        attempts: FailedAttempts,
        *,
        local_secret: str,
        others: OtherTokens | None = None,
        sessions: Sessions | None = None,
    ) -> None:
        self._rule = TokenRule(settings)
        self._verifier = verifier
        self._attempts = attempts
        self._local_secret = local_secret
        self._others = others
        self._sessions = sessions

    def is_required(self, scope: Scope) -> bool:
        """Say whether a request needs a token or a session."""
        return self._rule.applies_to(scope)

    def session_cookie(self, scope: Scope) -> str | None:
        """Return the cookie by which a request is authenticated; None if it is not: a token goes first."""
        if self._sessions is None or "authorization" in Headers(scope=scope) or not self.is_required(scope):
            return None
        return self._sessions.cookie_of(scope)

    async def principal(self, scope: Scope) -> Principal:
        """Return the principal of a request; `Authentication` if it needs a token or a session and has no valid one.

        `RateLimited` if too many of them from its network address were wrong, `Authorization` if a session's CSRF token
        is missing.
        """
        if (cookie := self.session_cookie(scope)) is not None:
            principal = await self._of_session(cookie, scope)
        else:
            headers, required = Headers(scope=scope), self.is_required(scope)
            token = bearer_token(headers) if required or _has_own_token(headers) else None
            if token is None:
                if required:
                    raise MissingToken
                return ANONYMOUS
            principal = await self._verify(token, requested_team(scope), origin_of(scope))
        drop_team_parameter(scope)
        return principal

    async def check(self, scope: Scope) -> None:
        """Raise `Authentication` or `Authorization` if what admitted a request is no longer valid."""
        team, origin = requested_team(scope), origin_of(scope)
        token = bearer_token(Headers(scope=scope))
        if token is not None:
            await self._identify(token, team, origin)
        elif self._sessions is not None and (cookie := self.session_cookie(scope)) is not None:
            await self._sessions.principal(cookie, team, origin)

    async def own_token(self, token: str, origin: Origin) -> TokenRecord:
        """Return what one of Trawl's own tokens allows, for a sign-in with it; `InvalidToken` for any other."""

        async def verify() -> TokenRecord:
            record = await self._verifier.verify(token, origin.client)
            if record is None:
                raise InvalidToken
            return record

        return await self.attempt(token, origin, verify)

    async def attempt(self, credential: str, origin: Origin, verify: Callable[[], Awaitable[R]]) -> R:
        """Verify a credential; `RateLimited` if too many from this network address were wrong."""
        self._attempts.check(credential, origin.address)
        try:
            verified = await verify()
        except Authentication as error:
            # A page sends the same cookie again and again, and all of its calls together tried one.
            if not (isinstance(error, SessionEnded) and error.was_told):
                await self._attempts.failed(origin.address)
            raise
        self._attempts.succeeded(credential)
        return verified

    async def _of_session(self, cookie: str, scope: Scope) -> Principal:
        sessions, team, origin = self._sessions, requested_team(scope), origin_of(scope)
        assert sessions is not None  # noqa: S101 - without them no request has a cookie
        principal = await self.attempt(cookie, origin, lambda: sessions.principal(cookie, team, origin))
        if scope["method"] not in _SAFE_METHODS:
            sessions.check_csrf(cookie, scope)
        return principal

    async def _verify(self, token: str, team: str | None, origin: Origin) -> Principal:
        if hmac.compare_digest(token.encode(), self._local_secret.encode()):
            return LOCAL if team is None else replace(LOCAL, team=team_id(team))
        return await self.attempt(token, origin, lambda: self._identify(token, team, origin))

    async def _identify(self, token: str, team: str | None, origin: Origin) -> Principal:
        if token.startswith(PREFIX):
            record = await self._verifier.verify(token, origin.client)
            if record is not None:
                return token_principal(record, team, origin)
        elif self._others is not None:
            return await self._others.principal(token, team, origin)
        raise InvalidToken


class MissingToken(Authentication):
    """The request has no token."""

    def __init__(self) -> None:
        super().__init__(
            "This service needs a token",
            action="Send the header Authorization: Bearer <token>; an administrator of your team can make one",
            command="trawl token create --team TEAM --scopes search",
        )


class InvalidToken(Authentication):
    """The token is unknown, revoked, expired or meant for another service."""

    def __init__(
        self,
        reason: str = "The token is not valid: it is unknown, expired or revoked",
        action: str = "Ask an administrator of your team for a new token",
    ) -> None:
        super().__init__(reason, action=action, details={"token": "invalid"})


class SessionEnded(InvalidToken):
    """The cookie belongs to no session: it was ended or is over, or what it was made with is not valid any more."""

    def __init__(self, *, was_told: bool = False) -> None:
        super().__init__("You are not signed in any more", action="Sign in again at /auth/login")
        self.was_told = was_told
        """Whether a browser was told so before, of the same cookie."""


def is_wrong(error: Exception) -> bool:
    """Say whether a request was refused for a credential that is not valid, and that was not refused before."""
    if isinstance(error, SessionEnded):
        return not error.was_told
    return isinstance(error, Authentication) and not isinstance(error, MissingToken)


def origin_of(scope: Scope) -> Origin:
    """Return where a request comes from."""
    client, address = Headers(scope=scope).get("user-agent", ""), (scope.get("client") or ("", 0))[0]
    # A trusted proxy may pass on as an address whatever it was sent.
    return Origin(_printable(client), _printable(address))


def _has_own_token(headers: Headers) -> bool:
    """While authentication is off, other tokens are ignored: clients are often set up with a placeholder."""
    return any(PREFIX in value for value in headers.getlist("authorization"))


def token_principal(record: TokenRecord, team: str | None, origin: Origin) -> Principal:
    """Return the principal of one of Trawl's own tokens."""
    return Principal(
        team=choose_team((record.team,), team),
        subject=record.subject,
        scopes=frozenset(record.scopes),
        indices=None if record.indices is None else frozenset(record.indices),
        credential=record.id,
        owner=record.owner or "",
        client=origin.client,
        address=origin.address,
    )


def _printable(text: str) -> str:
    # Nearly all are printable, and each request has two.
    shown = text if text.isprintable() else "".join(character for character in text if character.isprintable())
    return shown[:_MAX_CLIENT]
