"""Access tokens for OSDU: a static one, or one from OAuth 2 client credentials, renewed before it expires."""

import asyncio
import time
from collections.abc import Callable
from typing import Final, Protocol
from urllib.parse import urlencode

import orjson

from indexer.errors import Authentication, Unavailable
from mcp_server.features.osdu.settings import OsduSettings
from mcp_server.upstream.guard.attempts import AttemptFailed
from mcp_server.upstream.transport import Reply, Transport

_MARGIN_SECONDS: Final = 60.0
_MARGIN_FRACTION: Final = 0.2
_DEFAULT_LIFETIME_SECONDS: Final = 3_600.0
_MAX_LIFETIME_SECONDS: Final = 86_400.0


class Credentials(Protocol):
    """Supplies the service's own access token; the caller's token is never sent upstream."""

    async def token(self) -> str:
        """Return a token that has not expired."""

    def invalidate(self, token: str) -> bool:
        """Mark this token as rejected by OSDU; return whether a new one can be requested."""


class StaticToken:
    """A configured token, which is not renewed here."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def token(self) -> str:
        return self._token

    def invalidate(self, token: str) -> bool:  # noqa: ARG002 - there is no other token
        return False


class ClientCredentials:
    """Tokens from an OAuth 2 issuer. Concurrent callers share one request."""

    def __init__(self, settings: OsduSettings, transport: Transport, now: Callable[[], float] = time.monotonic) -> None:
        self._url = str(settings.token_url)
        secret = settings.client_secret.get_secret_value() if settings.client_secret else ""
        form = {"grant_type": "client_credentials", "client_id": str(settings.client_id), "client_secret": secret}
        if settings.scope is not None:
            form["scope"] = settings.scope
        self._form = urlencode(form).encode()
        self._transport = transport
        self._now = now
        self._lock = asyncio.Lock()
        self._token: str | None = None
        self._renew_at = 0.0
        self._expires_at = 0.0

    async def token(self) -> str:
        if (token := self._current_token()) is not None:
            return token
        async with self._lock:
            if (token := self._current_token()) is not None:
                return token
            try:
                await self._renew()
            except AttemptFailed:
                if self._token is None or self._now() >= self._expires_at:
                    raise
            return str(self._token)

    def invalidate(self, token: str) -> bool:
        if self._token == token:
            self._token = None
        return True

    def _current_token(self) -> str | None:
        return self._token if self._now() < self._renew_at else None

    async def _renew(self) -> None:
        requested_at = self._now()
        reply = await self._transport.post(
            self._url,
            self._form,
            {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"},
        )
        token, lifetime = _parse_token(reply)
        self._token = token
        self._expires_at = requested_at + lifetime
        self._renew_at = self._expires_at - min(_MARGIN_SECONDS, lifetime * _MARGIN_FRACTION)


def _parse_token(reply: Reply) -> tuple[str, float]:
    """Return the token of a token response and its lifetime in seconds."""
    if reply.status >= 500 or reply.status == 429:
        error = Unavailable("Search service temporarily unavailable", action="Try again later: no token was issued")
        raise AttemptFailed(error, retry=True, upstream_broke=True)
    try:
        response = orjson.loads(reply.body) if reply.status == 200 else {}
    except orjson.JSONDecodeError:
        response = {}
    token = response.get("access_token") if isinstance(response, dict) else None
    if not isinstance(token, str) or not token:
        raise AttemptFailed(
            Authentication(
                "Authentication required",
                action="Check TRAWL_OSDU_TOKEN_URL, TRAWL_OSDU_CLIENT_ID, TRAWL_OSDU_CLIENT_SECRET and "
                "TRAWL_OSDU_SCOPE: the issuer gave no token",
            )
        )
    try:
        lifetime = float(response.get("expires_in", _DEFAULT_LIFETIME_SECONDS))
    except (TypeError, ValueError):
        lifetime = _DEFAULT_LIFETIME_SECONDS
    return token, min(max(lifetime, 1.0), _MAX_LIFETIME_SECONDS)
