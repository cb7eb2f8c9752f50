"""Which metadata fields an index has, remembered for some seconds: only for checking names that a call gives."""

import time
from collections.abc import Callable, Collection, Sequence
from typing import Final

from indexer.engines.port import KeyCount, Reader, Target
from indexer.tenancy import PhysicalName

_CACHED_FOR: Final = 5.0
_MOST_CACHED: Final = 1_000
_MOST_KEYS: Final = 1_000


class KnownFields:
    """The fields of physical indices, asked for again when a name seems to be unknown."""

    def __init__(self, reader: Reader, now: Callable[[], float] = time.monotonic) -> None:
        self._reader = reader
        self._now = now
        self._cache: dict[PhysicalName, tuple[float, frozenset[str] | None]] = {}

    async def names(self, target: Target, asked: Collection[str]) -> Sequence[str] | None:
        """Return all names that documents have or the definition declares; None when that cannot be told.

        It cannot where an index has no document yet, or more fields than an engine lists.
        """
        declared = target.definition.sortable.keys()
        if all(name in declared for name in asked):
            return sorted(declared)
        expires, names = self._cache.get(target.physical, (0.0, None))
        if names is None or expires < self._now() or not all(name in names or name in declared for name in asked):
            names = await self._read(target)
        return None if names is None else sorted(names | declared)

    async def _read(self, target: Target) -> frozenset[str] | None:
        keys = await self._reader.keys(target)
        names = await self._judge(target, keys)
        if len(self._cache) >= _MOST_CACHED:
            self._cache.clear()
        self._cache[target.physical] = (self._now() + _CACHED_FOR, names)
        return names

    async def _judge(self, target: Target, keys: Sequence[KeyCount]) -> frozenset[str] | None:
        if len(keys) >= _MOST_KEYS:
            return None
        if not keys and (await self._reader.size(target)).documents == 0:
            return None
        return frozenset(key.field for key in keys)
