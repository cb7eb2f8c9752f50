"""Keeps an issuer's keys: fetched at the first token, refreshed in the background, kept while the issuer is down."""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from typing import Final

from jwt import PyJWK

from app.auth.oidc.issuer_http import RETRY_SECONDS, IssuerUnavailable
from app.auth.oidc.signing_keys import SigningKeys
from indexer.errors import PlatformError

_FRESH_SECONDS: Final = 600
_STALE_SECONDS: Final = 660
"""A key that the issuer withdrew is refused after this time, unless the issuer is down."""
_log = logging.getLogger(__name__)


class KeyCache:
    """The keys of one issuer. Whatever key ids callers invent, it asks at most every few seconds."""

    def __init__(self, load: Callable[[], Awaitable[SigningKeys]], now: Callable[[], float] = time.monotonic) -> None:
        self._load = load
        self._now = now
        self._keys: SigningKeys | None = None
        self._loaded_at = -math.inf
        self._failed_at = -math.inf
        self._searched_at = -math.inf
        self._failure: PlatformError | None = None
        self._loading: asyncio.Task[None] | None = None
        self.revision = 0
        """Grows when the keys change, so that what was verified by an old key is verified again."""

    async def find(self, algorithm: str, key_id: str | None) -> tuple[PyJWK, ...]:
        """Return the keys that a token may be signed with; `IssuerUnavailable` if that cannot be known now."""
        if self._keys is None and (self._loading or not self._is_recent(self._failed_at)):
            await self._join_load()
        if self._keys is None:
            raise (self._failure or IssuerUnavailable()).with_traceback(None)
        found = self._keys.find(algorithm, key_id)
        if not found and (self._loading or self._may_search()):
            await self._join_load()
            found = self._keys.find(algorithm, key_id)
        if not found and self._failure is not None:
            # It may be a new key that could not be fetched.
            raise self._failure.with_traceback(None)
        return found

    async def refresh(self) -> None:
        """Fetch the keys again in the background if they are old; wait for that if they are older."""
        age = self._now() - self._loaded_at
        if self._keys is None or age <= _FRESH_SECONDS or self._is_recent(self._failed_at):
            return
        loading = self._start_load()
        # Nobody waits for an issuer that is known to be down.
        if age > _STALE_SECONDS and self._failure is None:
            await asyncio.shield(loading)

    async def aclose(self) -> None:
        """Stop fetching."""
        if self._loading is not None:
            self._loading.cancel()
            await asyncio.wait({self._loading})

    def _is_recent(self, moment: float) -> bool:
        return self._now() - moment < RETRY_SECONDS

    def _may_search(self) -> bool:
        """Say whether the issuer may be asked for an unknown key now, and take note that it was."""
        if self._is_recent(self._searched_at):
            return False
        self._searched_at = self._now()
        return True

    async def _join_load(self) -> None:
        # Shielded: a caller that leaves must not end what the others wait for.
        await asyncio.shield(self._start_load())

    def _start_load(self) -> asyncio.Task[None]:
        if self._loading is None or self._loading.done():
            self._loading = asyncio.create_task(self._load_once())
            self._loading.add_done_callback(self._forget_load)
        return self._loading

    def _forget_load(self, task: asyncio.Task[None]) -> None:
        if self._loading is task:
            self._loading = None
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not log it if all callers have left

    async def _load_once(self) -> None:
        try:
            keys = await self._load()
        except PlatformError as error:
            self._failure, self._failed_at = error, self._now()
            _log.warning("%s", error.message, extra={"part": "issuer", "category": error.category})
            return
        if self._keys is None or keys.fingerprint != self._keys.fingerprint:
            self.revision += 1
        self._keys, self._failure, self._loaded_at = keys, None, self._now()
