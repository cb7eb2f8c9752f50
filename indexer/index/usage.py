"""How many documents and bytes each team has.

Counting asks the engine about every index of the team, so the counts are a few seconds old; what this process has
written since is added to them.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from indexer.engines.counts import Size
from indexer.index.reading import read_sizes
from indexer.index.store import IndexStore
from indexer.tenancy import TeamId

_CACHE_SECONDS: Final = 5.0
_NOTHING: Final = Size(documents=0, size_bytes=0)


@dataclass(slots=True)
class _TeamUsage:
    """What is known of one team."""

    lock: asyncio.Lock
    counted: Size = _NOTHING
    counted_at: float = float("-inf")
    """When the last count began."""
    written: Size = _NOTHING
    """Written by this process since then."""
    under_way: Size = _NOTHING
    """Being written by this process: perhaps in the count, perhaps not."""


class Usage:
    """The documents and bytes of all teams. Of one event loop; `writing` may be called in any thread."""

    def __init__(
        self,
        store: IndexStore,
        *,
        before_count: Callable[[TeamId], None] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Call `before_count`, blocking, before each count: it makes visible what was written without a refresh."""
        self._store = store
        self._before_count = before_count
        self._now = now
        self._teams: defaultdict[TeamId, _TeamUsage] = defaultdict(lambda: _TeamUsage(asyncio.Lock()))

    async def of(self, team: TeamId, *, fresh: bool = False) -> Size:
        """Return a team's documents and bytes; a fresh count began after this call."""
        usage = self._teams[team]
        oldest = self._now() if fresh else self._now() - _CACHE_SECONDS
        if usage.counted_at < oldest:
            async with usage.lock:
                # Another call may have counted while this one waited.
                if usage.counted_at < oldest:
                    await self._count(team, usage)
        return _add(usage.counted, usage.written, usage.under_way)

    @contextmanager
    def writing(self, team: TeamId, size: Size) -> Iterator[None]:
        """Count what is written inside, at once."""
        usage = self._teams[team]
        usage.under_way = _add(usage.under_way, size)
        try:
            yield
        finally:
            usage.under_way = _subtract(usage.under_way, size)
            usage.written = _add(usage.written, size)

    async def _count(self, team: TeamId, usage: _TeamUsage) -> None:
        started, written_before = self._now(), usage.written
        if self._before_count is not None:
            await asyncio.to_thread(self._before_count, team)
        records = await asyncio.to_thread(self._store.registry.stored, f"{team}/")
        counted = _add(*await read_sizes(self._store, records))
        usage.counted, usage.counted_at = counted, started
        usage.written = _subtract(usage.written, written_before)


def _add(*sizes: Size) -> Size:
    return Size(sum(size.documents for size in sizes), sum(size.size_bytes for size in sizes))


def _subtract(first: Size, second: Size) -> Size:
    return Size(first.documents - second.documents, first.size_bytes - second.size_bytes)
