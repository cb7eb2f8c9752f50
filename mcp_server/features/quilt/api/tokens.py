"""Access tokens for the registry: a static API key, or a refresh token that is exchanged and rotated."""

import asyncio
import time
from collections.abc import Callable
from typing import Final, Protocol
from urllib.parse import urlencode

import orjson

from indexer.errors import Unavailable
from mcp_server.features.quilt.api.token_store import Issued, TokenStore
from mcp_server.features.quilt.failures import ERROR_MESSAGES, token_refused
from mcp_server.upstream.guard.attempts import AttemptFailed
from mcp_server.upstream.transport import Transport

API_KEY_PREFIX: Final = "qk_"
_MARGIN_SECONDS: Final = 60.0
_HEADERS: Final = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}


class Tokens(Protocol):
    """Supplies the service's own token; the caller's token is never sent upstream."""

    async def token(self, registry: str) -> str:
        """Return a token for this registry that has not expired."""

    def invalidate(self, token: str) -> bool:
        """Mark this token as rejected by the registry; return whether a new one can be requested."""

    async def aclose(self) -> None:
        """Cancel a running renewal."""


class ApiKey:
    """A static key that does not expire."""

    def __init__(self, key: str) -> None:
        self._key = key

    async def token(self, registry: str) -> str:  # noqa: ARG002 - one key for every registry
        return self._key

    def invalidate(self, token: str) -> bool:  # noqa: ARG002 - there is no other key
        return False

    async def aclose(self) -> None:
        return


class RefreshToken:
    """Exchanges a refresh token for access tokens, a minute before they expire. Concurrent callers share one renewal.

    Each renewal rotates the refresh token. It continues when its callers are cancelled, or the new token would be lost.
    """

    def __init__(
        self,
        configured: str,
        transport: Transport,
        store: TokenStore,
        timeout_seconds: float,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._configured = configured
        self._transport = transport
        self._store = store
        self._timeout_seconds = timeout_seconds
        self._now = now
        self._current: Issued | None = None
        self._invalidated: str | None = None
        self._renewal: asyncio.Task[str] | None = None

    async def token(self, registry: str) -> str:
        if self._current is not None and self._is_fresh(self._current):
            return self._current.access_token
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.create_task(self._renew_with_timeout(registry))
            self._renewal.add_done_callback(_retrieve_exception)
        return await asyncio.shield(self._renewal)

    def invalidate(self, token: str) -> bool:
        self._invalidated = token
        return True

    async def aclose(self) -> None:
        if self._renewal is not None:
            self._renewal.cancel()
            await asyncio.gather(self._renewal, return_exceptions=True)

    def _is_fresh(self, issued: Issued) -> bool:
        return issued.access_token != self._invalidated and issued.expires_at > self._now() + _MARGIN_SECONDS

    async def _renew_with_timeout(self, registry: str) -> str:
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await self._renew(registry)
        except TimeoutError:
            failure = AttemptFailed(ERROR_MESSAGES.too_slow(), timed_out=True)
        except AttemptFailed as error:
            failure = error
        current = self._current
        if current is not None and current.access_token != self._invalidated and current.expires_at > self._now():
            return current.access_token
        raise failure from None

    async def _renew(self, registry: str) -> str:
        tried: set[str] = set()
        # Another process may rotate the refresh token at the same time; the second round reads its stored token.
        for _ in range(2):
            stored = await self._store.get()
            if stored is not None and self._is_fresh(stored):
                self._current = stored
                return stored.access_token
            rotated = [issued.refresh_token for issued in (stored, self._current) if issued is not None]
            for refresh_token in dict.fromkeys([*rotated, self._configured]):
                if refresh_token in tried:
                    continue
                tried.add(refresh_token)
                issued = await self._exchange(registry, refresh_token)
                if issued is not None:
                    self._current = issued
                    await self._store.put(issued)
                    return issued.access_token
        raise AttemptFailed(token_refused())

    async def _exchange(self, registry: str, refresh_token: str) -> Issued | None:
        """Return the tokens issued for a refresh token; None where the registry rejects it."""
        body = urlencode({"refresh_token": refresh_token}).encode()
        reply = await self._transport.post(f"{registry}/api/token", body, _HEADERS)
        if reply.status >= 500 or reply.status == 429:
            error = Unavailable(ERROR_MESSAGES.unavailable, action="Try again later: the registry issued no token")
            raise AttemptFailed(error, retry=True, upstream_broke=True)
        try:
            response = orjson.loads(reply.body) if reply.status == 200 else {}
            return Issued(str(response["refresh_token"]), str(response["access_token"]), float(response["expires_at"]))
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
            return None


def _retrieve_exception(task: "asyncio.Task[str]") -> None:
    if not task.cancelled():
        task.exception()  # avoids a warning about an unretrieved exception when all callers were cancelled
