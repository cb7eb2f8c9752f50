"""Who asks the registry: an API key as it is, or a refresh token that is exchanged and rotated."""

import asyncio
import time
from collections.abc import Callable
from typing import Final, Protocol
from urllib.parse import urlencode

import orjson

from indexer.errors import Unavailable
from mcp_server.features.quilt.api.token_store import Issued, TokenStore
from mcp_server.features.quilt.failures import WORDING, token_refused
from mcp_server.upstream.guard.attempts import AttemptFailed
from mcp_server.upstream.transport import Transport

API_KEY: Final = "qk_"
_MARGIN_SECONDS: Final = 60.0
_HEADERS: Final = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}


class Tokens(Protocol):
    """Who asks upstream; never the caller's own token."""

    async def token(self, registry: str) -> str:
        """Return a token that this registry takes for now."""

    def refused(self, token: str) -> bool:
        """Note that the registry did not take this token; say whether another can be had."""

    async def aclose(self) -> None:
        """Stop what runs in the background."""


class ApiKey:
    """A key that lasts until somebody revokes it."""

    def __init__(self, key: str) -> None:
        self._key = key

    async def token(self, registry: str) -> str:  # noqa: ARG002 - the same for every registry
        return self._key

    def refused(self, token: str) -> bool:  # noqa: ARG002 - there is only this one
        return False

    async def aclose(self) -> None:
        return


class RefreshToken:
    """Access tokens for a refresh token: one renewal at a time, for all callers, a minute before it is due.

    Each renewal gives another refresh token. A renewal goes on when its callers leave, so that none gets lost.
    """

    def __init__(
        self,
        configured: str,
        transport: Transport,
        store: TokenStore,
        patience: float,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._configured = configured
        self._transport = transport
        self._store = store
        self._patience = patience
        self._now = now
        self._held: Issued | None = None
        self._refused: str | None = None
        self._renewal: asyncio.Task[str] | None = None

    async def token(self, registry: str) -> str:
        if self._held is not None and self._is_fresh(self._held):
            return self._held.access_token
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.create_task(self._in_time(registry))
            self._renewal.add_done_callback(_seen)
        return await asyncio.shield(self._renewal)

    def refused(self, token: str) -> bool:
        self._refused = token
        return True

    async def aclose(self) -> None:
        if self._renewal is not None:
            self._renewal.cancel()
            await asyncio.gather(self._renewal, return_exceptions=True)

    def _is_fresh(self, issued: Issued) -> bool:
        return issued.access_token != self._refused and issued.expires_at > self._now() + _MARGIN_SECONDS

    async def _in_time(self, registry: str) -> str:
        try:
            async with asyncio.timeout(self._patience):
                return await self._renewed(registry)
        except TimeoutError:
            failed = AttemptFailed(WORDING.too_slow(), timed_out=True)
        except AttemptFailed as error:
            failed = error
        held = self._held
        if held is not None and held.access_token != self._refused and held.expires_at > self._now():
            return held.access_token
        raise failed from None

    async def _renewed(self, registry: str) -> str:
        tried: set[str] = set()
        # Another process may use up a refresh token while it is tried here; then it has kept the next one.
        for _ in range(2):
            kept = await self._store.get()
            if kept is not None and self._is_fresh(kept):
                self._held = kept
                return kept.access_token
            known = [issued.refresh_token for issued in (kept, self._held) if issued is not None]
            for refresh_token in dict.fromkeys([*known, self._configured]):
                if refresh_token in tried:
                    continue
                tried.add(refresh_token)
                issued = await self._exchanged(registry, refresh_token)
                if issued is not None:
                    self._held = issued
                    await self._store.put(issued)
                    return issued.access_token
        raise AttemptFailed(token_refused())

    async def _exchanged(self, registry: str, refresh_token: str) -> Issued | None:
        """Return what the registry gives for a refresh token; None where it refuses that."""
        body = urlencode({"refresh_token": refresh_token}).encode()
        reply = await self._transport.post(f"{registry}/api/token", body, _HEADERS)
        if reply.status >= 500 or reply.status == 429:
            error = Unavailable(WORDING.unavailable, action="Try again later: the registry issued no token")
            raise AttemptFailed(error, retry=True, upstream_broke=True)
        try:
            told = orjson.loads(reply.body) if reply.status == 200 else {}
            return Issued(str(told["refresh_token"]), str(told["access_token"]), float(told["expires_at"]))
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
            return None


def _seen(task: "asyncio.Task[str]") -> None:
    if not task.cancelled():
        task.exception()  # seen here, so that nobody is told of it where all callers have left
