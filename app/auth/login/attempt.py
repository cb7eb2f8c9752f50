"""One sign-in by authorization code and PKCE: what the browser is sent with, and what it may bring back."""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode

from app.auth.login.sign_in_place import SignInPlace
from app.auth.login.token_request import IssuedTokens, SignInRefused, request_tokens
from app.auth.oidc.issuer_http import IssuerHttp
from indexer.errors import Authentication

_RANDOM_BYTES: Final = 32


def new_secret() -> str:
    """Return a random text that nobody can guess."""
    return secrets.token_urlsafe(_RANDOM_BYTES)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A sign-in that was begun. Whoever compares the state of its answer knows that the same browser brings it."""

    redirect_uri: str
    state: str
    nonce: str | None = None
    """Stands in the ID token; a client that reads none does not need it."""
    verifier: str = field(default_factory=new_secret, repr=False)

    def address(self, place: SignInPlace, scope: str) -> str:
        """Return where the browser goes."""
        request = {
            "response_type": "code",
            "client_id": place.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": scope,
            "state": self.state,
            "code_challenge": _challenge(self.verifier),
            "code_challenge_method": "S256",
            "resource": place.resource,
        }
        if self.nonce is not None:
            request["nonce"] = self.nonce
        if "offline_access" in scope.split():
            # OpenID Connect gives a token for later only where the user agreed to it.
            request["prompt"] = "consent"
        separator = "&" if "?" in place.authorization_endpoint else "?"
        return f"{place.authorization_endpoint}{separator}{urlencode(request)}"

    async def finish(self, http: IssuerHttp, place: SignInPlace, answer: Mapping[str, str]) -> IssuedTokens:
        """Change the code in the answer for tokens; `Authentication` if there is none or it is not accepted."""
        form = {
            "grant_type": "authorization_code",
            "code": _read_code(answer, place),
            "redirect_uri": self.redirect_uri,
            "client_id": place.client_id,
            "code_verifier": self.verifier,
            "resource": place.resource,
        }
        return await request_tokens(http, place.token_endpoint, form)


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _read_code(answer: Mapping[str, str], place: SignInPlace) -> str:
    issuer = answer.get("iss")
    must_name_issuer = place.metadata.document.get("authorization_response_iss_parameter_supported") is True
    if issuer != place.metadata.issuer and (issuer is not None or must_name_issuer):
        # RFC 9207: an answer of another issuer would send this code to the wrong place.
        raise Authentication("The answer came from another sign-in service", action="Sign in again")
    code = answer.get("code")
    if code is None:
        raise SignInRefused(answer.get("error"))
    return code
