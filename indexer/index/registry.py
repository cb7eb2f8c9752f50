"""The registry of indices: which physical indices stand behind a team's name, changed by compare-and-set only."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from indexer.engines.port import Records
from indexer.index.failures import IndexExists, IndexNotFound, TooManyIndices
from indexer.index.record import IndexRecord, index_record, stored_value
from indexer.schema.definition import IndexDefinition, Kind
from indexer.single_flight import SingleFlight
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
        self._cache: dict[tuple[TeamId, IndexName], tuple[float, IndexRecord]] = {}
        self._looks: SingleFlight[IndexRecord] = SingleFlight()

    def current(self, kind: Kind) -> IndexDefinition:
        """Return how a new index of this kind is defined by this version of the service."""
        return self._definitions[kind]

    def outdated(self, record: IndexRecord) -> bool:
        return record.definition.version < self.current(record.definition.kind).version

    async def cached(self, team: TeamId, index: IndexName, *, fresh: bool = False) -> IndexRecord:
        """Return a record for reading, at most a second old."""
        cached = self._cache.get((team, index))
        if cached is None or fresh:
            return await asyncio.to_thread(self.get, team, index)
        if cached[0] > self._now():
            return cached[1]
        # all who find it too old at the same moment look together
        return await self._looks.join(_key(team, index), lambda: asyncio.to_thread(self.get, team, index))

    def get(self, team: TeamId, index: IndexName) -> IndexRecord:
        """Return a record as it is now; built-in indices are there before anything was recorded."""
        record = self._recorded(team, index)
        if record is None and index in _BUILT_IN:
            return self.get_or_new(team, index, self.current(_BUILT_IN[index]))
        if record is None:
            raise IndexNotFound(index, [record.index for record in self.of_team(team)])
        return record

    def get_or_new(self, team: TeamId, index: IndexName, definition: IndexDefinition) -> IndexRecord:
        """Return what is recorded, or a record that the first write records."""
        return self._recorded(team, index) or IndexRecord(team, index, definition, _NEVER_WRITTEN)

    def of_team(self, team: TeamId) -> list[IndexRecord]:
        """Return all of a team's local indices by name, with the default one in any case."""
        found = {
            record.index: record
            for stored in self._records.list(_KIND, f"{team}/")
            for record in [index_record(team, IndexName(stored.key.split("/", 1)[1]), stored.value, stored.revision)]
            if record.index != ARCHIVE_INDEX
        }
        if DEFAULT_INDEX not in found:
            found[DEFAULT_INDEX] = self.get(team, DEFAULT_INDEX)
        return [found[name] for name in sorted(found)]

    def teams(self) -> list[TeamId]:
        """Return the teams that have anything recorded."""
        return sorted({TeamId(stored.key.split("/", 1)[0]) for stored in self._records.list(_KIND)})

    def create(self, team: TeamId, index: IndexName, definition: IndexDefinition) -> IndexRecord:
        """Record a new index; its physical index is made by the first write."""
        if index in _BUILT_IN:
            raise IndexExists(index)
        if len(self.of_team(team)) >= self._max_indices and self._recorded(team, index) is None:
            raise TooManyIndices(self._max_indices)
        record = self.save(IndexRecord(team, index, definition, _utc_now()))
        if record is None:
            raise IndexExists(index)
        return record

    def save(self, record: IndexRecord) -> IndexRecord | None:
        """Record a record if nobody changed it meanwhile; return it with its new revision, or None."""
        if record.created_at == _NEVER_WRITTEN:
            record = replace(record, created_at=_utc_now())
        stored = self._records.put_if(_KIND, _key(record.team, record.index), stored_value(record), record.revision)
        if stored is None:
            self.forget(record.team, record.index)
            return None
        return self._remember(replace(record, revision=stored.revision))

    def change(
        self, team: TeamId, index: IndexName, changed: Callable[[IndexRecord], IndexRecord | None]
    ) -> IndexRecord:
        """Change a record, again from the start if somebody else was faster; None leaves it as it is."""
        while True:
            record = self.get(team, index)
            wanted = changed(record)
            saved = record if wanted is None else self.save(wanted)
            if saved is not None:
                return saved

    def remove(self, team: TeamId, index: IndexName) -> IndexRecord:
        """Remove an index's record and return it: its physical indices are the caller's to drop."""
        while True:
            record = self.get(team, index)
            if record.revision is None:
                return record
            removed = self._records.delete_if(_KIND, _key(team, index), record.revision)
            self.forget(team, index)
            if removed:
                return record

    def fail_rebuild(self, team: TeamId, index: IndexName, generation: int, reason: str) -> None:
        """Mark a running re-index as failed, so that writers leave its shadow alone; the old index serves on."""

        def failed(record: IndexRecord) -> IndexRecord | None:
            building = record.shadow
            if building is None or building.generation.number != generation or building.failed is not None:
                return None
            return replace(record, shadow=replace(building, failed=reason))

        self.change(team, index, failed)

    def forget(self, team: TeamId, index: IndexName) -> None:
        """Let the next reader ask the records again."""
        self._cache.pop((team, index), None)

    def _recorded(self, team: TeamId, index: IndexName) -> IndexRecord | None:
        stored = self._records.get(_KIND, _key(team, index))
        if stored is None:
            self.forget(team, index)
            return None
        return self._remember(index_record(team, index, stored.value, stored.revision))

    def _remember(self, record: IndexRecord) -> IndexRecord:
        # Without a serving generation the record is not kept: another process's first write must be found at once.
        if record.serving is None:
            self.forget(record.team, record.index)
            return record
        if len(self._cache) >= _MOST_CACHED:
            self._cache.clear()
        self._cache[(record.team, record.index)] = (self._now() + _CACHED_FOR, record)
        return record


def _key(team: TeamId, index: IndexName) -> str:
    return f"{team}/{index}"


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
