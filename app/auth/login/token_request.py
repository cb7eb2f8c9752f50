"""Asks an issuer's token endpoint for tokens."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
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


async def request_tokens(http: IssuerHttp, endpoint: str, form: Mapping[str, str]) -> IssuedTokens:
    """Post a grant; `SignInRefused` if the issuer does not accept it."""
    reply = await http.post(endpoint, form)
    if reply.status >= 500:
        raise IssuerUnavailable
    token = reply.body.get("access_token")
    is_bearer = str(reply.body.get("token_type")).lower() == "bearer"
    if reply.status != 200 or not isinstance(token, str) or not is_bearer:
        raise SignInRefused(reply.body.get("error"))
    refresh = reply.body.get("refresh_token")
    return IssuedTokens(token, refresh if isinstance(refresh, str) else None, _expiry(reply.body.get("expires_in")))


def _expiry(seconds: Any) -> float | None:
    return time.time() + seconds if isinstance(seconds, int | float) else None
