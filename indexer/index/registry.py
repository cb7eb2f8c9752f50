"""The registry: which physical indices serve a team's index; every change is a compare-and-set."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from threading import Lock
from typing import Final

from cachetools import LRUCache

from indexer.engines.record_port import Records
from indexer.index.failures import IndexExists, IndexNotFound, TooManyIndices
from indexer.index.record import IndexRecord, index_record, stored_value
from indexer.schema.dates import utc_now
from indexer.schema.definition import IndexDefinition, Kind
from indexer.single_flight import SingleFlight
from indexer.tenancy import ARCHIVE_INDEX, DEFAULT_INDEX, IndexName, Principal, TeamId

_KIND: Final = "indices"
_CACHE_SECONDS: Final = 1.0
_MAX_CACHED: Final = 10_000
_NEVER_WRITTEN: Final = "1970-01-01T00:00:00Z"
_BUILT_IN: Final[Mapping[IndexName, Kind]] = {DEFAULT_INDEX: "local", ARCHIVE_INDEX: "archive"}


class Registry:
    """Index records by team and name. Blocking, except for `cached`, which searches use."""

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
        self.max_indices = max_indices
        self._now = now
        self._cache: LRUCache[str, tuple[float, IndexRecord]] = LRUCache(_MAX_CACHED)
        self._cache_lock = Lock()
        self._lookups: SingleFlight[IndexRecord] = SingleFlight()

    def current(self, kind: Kind) -> IndexDefinition:
        """Return the definition of a new index of this kind."""
        return self._definitions[kind]

    def outdated(self, record: IndexRecord) -> bool:
        """Say whether an older version of the service made this index."""
        return record.definition.version < self.current(record.definition.kind).version

    async def cached(self, team: TeamId, index: IndexName, *, fresh: bool = False) -> IndexRecord:
        """Return a record for reading, at most a second old."""
        with self._cache_lock:
            expires, record = self._cache.get(_key(team, index), (0.0, None))
        if record is None or fresh:
            # Not joined to another lookup: that one may have begun before this caller made the index.
            return await asyncio.to_thread(self.get, team, index)
        if expires > self._now():
            return record
        return await self._lookups.join(_key(team, index), lambda: asyncio.to_thread(self.get, team, index))

    def get(self, team: TeamId, index: IndexName) -> IndexRecord:
        """Return the current record; built-in indices exist before their first write."""
        record = self._recorded(team, index)
        if record is None and index in _BUILT_IN:
            return self.get_or_new(team, index, self.current(_BUILT_IN[index]))
        if record is None:
            raise IndexNotFound(index, [record.index for record in self.of_team(team)])
        return record

    def get_or_new(self, team: TeamId, index: IndexName, definition: IndexDefinition) -> IndexRecord:
        """Return the stored record, or a new one that the first write stores."""
        return self._recorded(team, index) or IndexRecord(team, index, definition, _NEVER_WRITTEN)

    def of_team(self, team: TeamId) -> list[IndexRecord]:
        """Return all of a team's local indices by name; the default one is always among them."""
        found = {record.index: record for record in self.stored(f"{team}/") if record.index != ARCHIVE_INDEX}
        if DEFAULT_INDEX not in found:
            found[DEFAULT_INDEX] = self.get(team, DEFAULT_INDEX)
        return [found[name] for name in sorted(found)]

    def usable(self, principal: Principal) -> list[IndexRecord]:
        """Return the local indices that this caller may use, by name."""
        return [record for record in self.of_team(principal.team) if principal.may_use(record.index)]

    def teams(self) -> list[TeamId]:
        """Return the teams that have any index."""
        return sorted({TeamId(stored.key.split("/", 1)[0]) for stored in self._records.list(_KIND)})

    def stored(self, prefix: str = "") -> list[IndexRecord]:
        """Return all stored records, archives included; a built-in index has none before its first write."""
        return [
            index_record(TeamId(team), IndexName(index), stored.value, stored.revision)
            for stored in self._records.list(_KIND, prefix)
            for team, _, index in [stored.key.partition("/")]
        ]

    def create(self, team: TeamId, index: IndexName, definition: IndexDefinition) -> IndexRecord:
        """Store a new index; the first write creates its physical index."""
        if index in _BUILT_IN:
            raise IndexExists(index)
        used = len(self.of_team(team))
        if used >= self.max_indices and self._recorded(team, index) is None:
            raise TooManyIndices(self.max_indices, used)
        record = self.save(IndexRecord(team, index, definition, utc_now()))
        if record is None:
            raise IndexExists(index)
        return record

    def save(self, record: IndexRecord) -> IndexRecord | None:
        """Store a record by compare-and-set; return it with its new revision, or None on a conflict."""
        if record.created_at == _NEVER_WRITTEN:
            record = replace(record, created_at=utc_now())
        stored = self._records.put_if(_KIND, _key(record.team, record.index), stored_value(record), record.revision)
        if stored is None:
            self.forget(record.team, record.index)
            return None
        return self._remember(replace(record, revision=stored.revision))

    def change(
        self, team: TeamId, index: IndexName, changed: Callable[[IndexRecord], IndexRecord | None]
    ) -> IndexRecord:
        """Change a record, retrying on conflicts; `changed` returns None to leave it as it is."""
        while True:
            record = self.get(team, index)
            update = changed(record)
            saved = record if update is None else self.save(update)
            if saved is not None:
                return saved

    def remove(self, team: TeamId, index: IndexName) -> IndexRecord:
        """Remove an index's record and return it; the caller drops its physical indices."""
        while True:
            record = self.get(team, index)
            if record.revision is None:
                return record
            removed = self._records.delete_if(_KIND, _key(team, index), record.revision)
            self.forget(team, index)
            if removed:
                return record

    def fail_rebuild(self, team: TeamId, index: IndexName, generation: int, reason: str) -> None:
        """Mark a running re-index as failed: writers stop writing to its shadow, and the old index keeps serving."""

        def failed(record: IndexRecord) -> IndexRecord | None:
            shadow = record.shadow
            if shadow is None or shadow.generation.number != generation or shadow.failed is not None:
                return None
            return replace(record, shadow=replace(shadow, failed=reason))

        self.change(team, index, failed)

    def forget(self, team: TeamId, index: IndexName) -> None:
        """Remove a record from the cache."""
        with self._cache_lock:
            self._cache.pop(_key(team, index), None)

    def _recorded(self, team: TeamId, index: IndexName) -> IndexRecord | None:
        stored = self._records.get(_KIND, _key(team, index))
        if stored is None:
            self.forget(team, index)
            return None
        return self._remember(index_record(team, index, stored.value, stored.revision))

    def _remember(self, record: IndexRecord) -> IndexRecord:
        # A record without a serving generation is not cached: another process's first write must be seen at once.
        if record.serving is None:
            self.forget(record.team, record.index)
            return record
        with self._cache_lock:
            self._cache[_key(record.team, record.index)] = (self._now() + _CACHE_SECONDS, record)
        return record


def _key(team: TeamId, index: IndexName) -> str:
    return f"{team}/{index}"
