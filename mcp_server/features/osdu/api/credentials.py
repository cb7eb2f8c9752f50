"""The access token: as given, or by client credentials, renewed before it expires."""

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
_MARGIN_PART: Final = 0.2
_DEFAULT_LIFE: Final = 3_600.0
_LONGEST_LIFE: Final = 86_400.0


class Credentials(Protocol):
    """Who asks upstream; never the caller's own token."""

    async def token(self) -> str:
        """Return a token that works for now."""

    def refused(self, token: str) -> bool:
        """Note that the upstream did not take this token; say whether another can be had."""


class StaticToken:
    """A token that somebody else looks after."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def token(self) -> str:
        return self._token

    def refused(self, token: str) -> bool:  # noqa: ARG002 - there is only this one
        return False


class ClientCredentials:
    """Tokens from an OAuth 2 issuer: one request at a time, for all callers."""

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
        if (fresh := self._unless_due()) is not None:
            return fresh
        async with self._lock:
            if (fresh := self._unless_due()) is not None:
                return fresh
            try:
                await self._renew()
            except AttemptFailed:
                if self._token is None or self._now() >= self._expires_at:
                    raise
            return str(self._token)

    def refused(self, token: str) -> bool:
        if self._token == token:
            self._token = None
        return True

    def _unless_due(self) -> str | None:
        return self._token if self._now() < self._renew_at else None

    async def _renew(self) -> None:
        asked_at = self._now()
        reply = await self._transport.post(
            self._url,
            self._form,
            {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"},
        )
        token, lifetime = _issued(reply)
        self._token = token
        self._expires_at = asked_at + lifetime
        self._renew_at = self._expires_at - min(_MARGIN_SECONDS, lifetime * _MARGIN_PART)


def _issued(reply: Reply) -> tuple[str, float]:
    """Read an issuer's answer."""
    if reply.status >= 500 or reply.status == 429:
        error = Unavailable("Search service temporarily unavailable", action="Try again later: no token was issued")
        raise AttemptFailed(error, retry=True, upstream_broke=True)
    try:
        answer = orjson.loads(reply.body) if reply.status == 200 else {}
    except orjson.JSONDecodeError:
        answer = {}
    token = answer.get("access_token") if isinstance(answer, dict) else None
    if not isinstance(token, str) or not token:
        raise AttemptFailed(
            Authentication(
                "Authentication required",
                action="Check TRAWL_OSDU_TOKEN_URL, TRAWL_OSDU_CLIENT_ID, TRAWL_OSDU_CLIENT_SECRET and "
                "TRAWL_OSDU_SCOPE: the issuer gave no token",
            )
        )
    try:
        lifetime = float(answer.get("expires_in", _DEFAULT_LIFE))
    except (TypeError, ValueError):
        lifetime = _DEFAULT_LIFE
    return token, min(max(lifetime, 1.0), _LONGEST_LIFE)
