"""The registry of indices: which physical indices stand behind a team's name, changed by compare-and-set only."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from indexer.engines.port import Records
from indexer.index.failures import IndexExists, IndexNotFound, TooManyIndices
from indexer.index.record import Entry, entry_from, entry_json
from indexer.schema.definition import IndexDefinition, Kind
from indexer.single_flight import Flights
from indexer.tenancy import ARCHIVE_INDEX, DEFAULT_INDEX, IndexName, TeamId

_KIND: Final = "indices"
_CACHED_FOR: Final = 1.0
_MOST_CACHED: Final = 10_000
_NEVER_WRITTEN: Final = "1970-01-01T00:00:00Z"
_BUILT_IN: Final[Mapping[IndexName, Kind]] = {DEFAULT_INDEX: "local", ARCHIVE_INDEX: "archive"}


class Registry:
    """Entries by team and name. Blocking, but for `read`, which readers use and which caches for a second."""

    def __init__(
        self,
        records: Records,
        definitions: Mapping[Kind, IndexDefinition],
        *,
        max_indices: int,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._records = records
        self._definitions = definitions
        self._max_indices = max_indices
        self._now = now
        self._cache: dict[tuple[TeamId, IndexName], tuple[float, Entry]] = {}
        self._looks: Flights[Entry] = Flights()

    def current(self, kind: Kind) -> IndexDefinition:
        """Return how a new index of this kind is defined by this version of the service."""
        return self._definitions[kind]

    def outdated(self, entry: Entry) -> bool:
        return entry.definition.version < self.current(entry.definition.kind).version

    async def read(self, team: TeamId, index: IndexName, *, fresh: bool = False) -> Entry:
        """Return an entry for reading, at most a second old."""
        cached = self._cache.get((team, index))
        if cached is None or fresh:
            return await asyncio.to_thread(self.entry, team, index)
        if cached[0] > self._now():
            return cached[1]
        # all who find it too old at the same moment look together
        return await self._looks.join(_key(team, index), lambda: asyncio.to_thread(self.entry, team, index))

    def entry(self, team: TeamId, index: IndexName) -> Entry:
        """Return an entry as it is now; built-in indices are there before anything was recorded."""
        entry = self._recorded(team, index)
        if entry is None and index in _BUILT_IN:
            return self.entry_or_new(team, index, self.current(_BUILT_IN[index]))
        if entry is None:
            raise IndexNotFound(index, [entry.index for entry in self.entries(team)])
        return entry

    def entry_or_new(self, team: TeamId, index: IndexName, definition: IndexDefinition) -> Entry:
        """Return what is recorded, or an entry that the first write records."""
        return self._recorded(team, index) or Entry(team, index, definition, _NEVER_WRITTEN)

    def entries(self, team: TeamId) -> list[Entry]:
        """Return all of a team's local indices by name, with the default one in any case."""
        found = {
            entry.index: entry
            for record in self._records.list(_KIND, f"{team}/")
            for entry in [entry_from(team, IndexName(record.key.split("/", 1)[1]), record.value, record.revision)]
            if entry.index != ARCHIVE_INDEX
        }
        if DEFAULT_INDEX not in found:
            found[DEFAULT_INDEX] = self.entry(team, DEFAULT_INDEX)
        return [found[name] for name in sorted(found)]

    def teams(self) -> list[TeamId]:
        """Return the teams that have anything recorded."""
        return sorted({TeamId(record.key.split("/", 1)[0]) for record in self._records.list(_KIND)})

    def create(self, team: TeamId, index: IndexName, definition: IndexDefinition) -> Entry:
        """Record a new index; its physical index is made by the first write."""
        if index in _BUILT_IN:
            raise IndexExists(index)
        if len(self.entries(team)) >= self._max_indices and self._recorded(team, index) is None:
            raise TooManyIndices(self._max_indices)
        entry = self.save(Entry(team, index, definition, _utc_now()))
        if entry is None:
            raise IndexExists(index)
        return entry

    def save(self, entry: Entry) -> Entry | None:
        """Record an entry if nobody changed it meanwhile; return it with its new revision, or None."""
        if entry.created_at == _NEVER_WRITTEN:
            entry = replace(entry, created_at=_utc_now())
        record = self._records.put_if(_KIND, _key(entry.team, entry.index), entry_json(entry), entry.revision)
        if record is None:
            self.forget(entry.team, entry.index)
            return None
        return self._remember(replace(entry, revision=record.revision))

    def change(self, team: TeamId, index: IndexName, changed: Callable[[Entry], Entry | None]) -> Entry:
        """Change an entry, again from the start if somebody else was faster; None leaves it as it is."""
        while True:
            entry = self.entry(team, index)
            wanted = changed(entry)
            saved = entry if wanted is None else self.save(wanted)
            if saved is not None:
                return saved

    def remove(self, team: TeamId, index: IndexName) -> Entry:
        """Remove an index's entry and return it: its physical indices are the caller's to drop."""
        while True:
            entry = self.entry(team, index)
            if entry.revision is None:
                return entry
            removed = self._records.delete_if(_KIND, _key(team, index), entry.revision)
            self.forget(team, index)
            if removed:
                return entry

    def fail_build(self, team: TeamId, index: IndexName, generation: int, reason: str) -> None:
        """Mark a running re-index as failed, so that writers leave its shadow alone; the old index serves on."""

        def failed(entry: Entry) -> Entry | None:
            building = entry.building
            if building is None or building.generation.number != generation or building.failed is not None:
                return None
            return replace(entry, building=replace(building, failed=reason))

        self.change(team, index, failed)

    def forget(self, team: TeamId, index: IndexName) -> None:
        """Let the next reader ask the records again."""
        self._cache.pop((team, index), None)

    def _recorded(self, team: TeamId, index: IndexName) -> Entry | None:
        record = self._records.get(_KIND, _key(team, index))
        if record is None:
            self.forget(team, index)
            return None
        return self._remember(entry_from(team, index, record.value, record.revision))

    def _remember(self, entry: Entry) -> Entry:
        # Without a serving generation the entry is not kept: another process's first write must be found at once.
        if entry.serving is None:
            self.forget(entry.team, entry.index)
            return entry
        if len(self._cache) >= _MOST_CACHED:
            self._cache.clear()
        self._cache[(entry.team, entry.index)] = (self._now() + _CACHED_FOR, entry)
        return entry


def _key(team: TeamId, index: IndexName) -> str:
    return f"{team}/{index}"


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
