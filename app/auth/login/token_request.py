"""Asks an issuer's token endpoint for tokens."""

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from app.auth.oidc.issuer_http import IssuerHttp, IssuerUnavailable
from indexer.errors import Authentication, printable


class SignInRefused(Authentication):
    """The issuer gave no token."""

    def __init__(self, code: object) -> None:
        super().__init__(
            "The sign-in service gave no token",
            action="Run `trawl login` again",
            details={"reason": printable(code) if isinstance(code, str) else "unknown"},
        )


@dataclass(frozen=True, slots=True)
class IssuedTokens:
    """The tokens that an issuer gave."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)
    expires_at: float | None
    """In seconds since 1970; None if the issuer did not say."""
    id_token: str | None = field(default=None, repr=False)


async def request_tokens(http: IssuerHttp, endpoint: str, form: Mapping[str, str]) -> IssuedTokens:
    """Post a grant; `SignInRefused` if the issuer does not accept it."""
    reply = await http.post(endpoint, form)
    if reply.status >= 500:
        raise IssuerUnavailable
    token = reply.body.get("access_token")
    is_bearer = str(reply.body.get("token_type")).lower() == "bearer"
    if reply.status != 200 or not isinstance(token, str) or not is_bearer:
        raise SignInRefused(reply.body.get("error"))
    return IssuedTokens(
        token,
        _text(reply.body.get("refresh_token")),
        _expiry(reply.body.get("expires_in")),
        _text(reply.body.get("id_token")),
    )


async def renew_tokens(
    http: IssuerHttp, endpoint: str, refresh_token: str, *, client_id: str, resource: str
) -> IssuedTokens:
    """Change a refresh token for new tokens. The refresh token stays the same if the issuer gives no other."""
    form = {
        "grant_type": "refresh_token",
        "refresh_token": refresh_token,
        "client_id": client_id,
        "resource": resource,
    }
    issued = await request_tokens(http, endpoint, form)
    return replace(issued, refresh_token=issued.refresh_token or refresh_token)


async def revoke_token(http: IssuerHttp, endpoint: str | None, token: str, *, client_id: str) -> None:
    """Tell the issuer that a token is needed no more. If it cannot be told, the token expires by itself."""
    if endpoint is not None:
        with suppress(IssuerUnavailable):
            await http.post(endpoint, {"token": token, "client_id": client_id})


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _expiry(seconds: Any) -> float | None:
    return time.time() + seconds if isinstance(seconds, int | float) else None
