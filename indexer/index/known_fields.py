"""Which metadata fields an index has, cached for some seconds: for checking the names in filters, sort and facets."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from cachetools import TTLCache

from indexer.engines.counts import KeyCount
from indexer.engines.port import Reader, Target
from indexer.schema.definition import Kind
from indexer.tenancy import PhysicalName

_CACHE_SECONDS: Final = 5.0
_MAX_CACHED: Final = 1_000
_MAX_FIELDS: Final = 1_000
_NONE_FIXED: Final[Mapping[Kind, Collection[str]]] = MappingProxyType({})


class KnownFields:
    """The fields of indices; an unknown name makes it ask the engine again."""

    def __init__(
        self,
        reader: Reader,
        fixed: Mapping[Kind, Collection[str]] = _NONE_FIXED,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take from `fixed` the fields of those kinds of index that all have the same."""
        self._reader = reader
        self._fixed = fixed
        self._cache: TTLCache[PhysicalName, frozenset[str]] = TTLCache(_MAX_CACHED, _CACHE_SECONDS, now)

    async def names(self, kind: Kind, target: Target | None, asked: Collection[str]) -> Collection[str] | None:
        """Return the names that documents have or the definition declares.

        None means unknown: the index has no document yet, or more fields than an engine lists.
        """
        if kind in self._fixed:
            return self._fixed[kind]
        if target is None:
            return None
        declared = target.definition.sortable.keys()
        if all(name in declared for name in asked):
            return sorted(declared)
        names = self._cache.get(target.physical)
        if names is None or not all(name in names or name in declared for name in asked):
            names = await self._read(target)
        return None if names is None else sorted(names | declared)

    async def _read(self, target: Target) -> frozenset[str] | None:
        keys = await self._reader.keys(target)
        names = await self._names(target, keys)
        if names is not None:
            self._cache[target.physical] = names
        return names

    async def _names(self, target: Target, keys: Sequence[KeyCount]) -> frozenset[str] | None:
        if len(keys) >= _MAX_FIELDS:
            return None
        if not keys and (await self._reader.size(target)).documents == 0:
            return None
        return frozenset(key.field for key in keys)
