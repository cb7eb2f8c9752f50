"""A cache that returns expired values while it refreshes them in the background (stale-while-revalidate)."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from indexer.errors import PlatformError

V = TypeVar("V")

FRESH_SECONDS: Final = 300.0
_MAX_ENTRIES: Final = 200


class RefreshingCache(Generic[V]):
    """Values by name. Only the first request for a name waits for the fetch."""

    def __init__(self, fetch: Callable[[str], Awaitable[V]], now: Callable[[], float] = time.monotonic) -> None:
        self._fetch = fetch
        self._now = now
        self._values: dict[str, tuple[float, V]] = {}
        self._refreshes: dict[str, asyncio.Task[None]] = {}

    async def get(self, name: str) -> V | None:
        """Return the cached value, fetched on the first request; None where the fetch failed."""
        if name not in self._values:
            await self._refresh(name)
        elif self._values[name][0] + FRESH_SECONDS < self._now() and name not in self._refreshes:
            self._refreshes[name] = asyncio.create_task(self._refresh(name))
        entry = self._values.get(name)
        return None if entry is None else entry[1]

    def put(self, name: str, value: V) -> None:
        """Store a value; the oldest entry is evicted when the cache is full."""
        self._values.pop(name, None)
        while len(self._values) >= _MAX_ENTRIES:
            del self._values[next(iter(self._values))]
        self._values[name] = (self._now(), value)

    async def aclose(self) -> None:
        """Cancel the refreshes that are running."""
        running = list(self._refreshes.values())
        for refresh in running:
            refresh.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _refresh(self, name: str) -> None:
        try:
            # Nothing is known from an empty value, which may come from an index that is missing for a moment.
            if value := await self._fetch(name):
                self.put(name, value)
        except PlatformError:
            return  # the old value stays; without one there is no hint
        finally:
            self._refreshes.pop(name, None)
