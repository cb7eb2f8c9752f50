"""Removing physical indices that nobody needs any more: replaced ones after their grace time, and orphans."""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final

from indexer.engines.port import Target
from indexer.errors import MissingIndex, PlatformError
from indexer.index.record import IndexRecord
from indexer.index.revisions import microseconds
from indexer.index.store import IndexStore
from indexer.tenancy import ARCHIVE_INDEX, IndexName, PhysicalName, TeamId, alias

_YOUNG: Final = 60 * 60 * 1_000_000
"""Microseconds in which a physical index may be on its way into the registry."""


def every_index(store: IndexStore) -> Iterator[IndexRecord]:
    """Yield all indices of all teams, archives too."""
    for team in store.registry.teams():
        yield from store.registry.of_team(team)
        yield store.registry.get(team, ARCHIVE_INDEX)


def retire(store: IndexStore, team: TeamId, index: IndexName) -> int:
    """Drop the replaced generations whose grace time is over; return how many there were."""
    now = time.time()
    over: list[Target] = []

    def without(record: IndexRecord) -> IndexRecord | None:
        over[:] = [record.target(old.generation) for old in record.retired if old.until <= now]
        return replace(record, retired=tuple(old for old in record.retired if old.until > now)) if over else None

    store.registry.change(team, index, without)
    if over:
        # Whoever replaced them may have died before the alias was moved, and would take it along.
        publish(store, team, index)
    # Out of the registry first: a writer that finds one gone reads the record again, and must not find it there.
    for target in over:
        store.engine.writer.drop(target.physical)
    return len(over)


def retire_if_due(store: IndexStore, record: IndexRecord) -> None:
    """As `retire`, where the record says that there is something; what fails is left to the next one."""
    if any(old.until <= time.time() for old in record.retired):
        with suppress(PlatformError):
            retire(store, record.team, record.index)


def publish(store: IndexStore, team: TeamId, index: IndexName) -> None:
    """Point the alias at what the registry says is serving."""
    target = store.registry.get(team, index).serving_target()
    if target is not None:
        with suppress(MissingIndex):  # deleted meanwhile
            store.engine.writer.publish(alias(team, index), target.physical)


def orphans(store: IndexStore, team: TeamId) -> list[PhysicalName]:
    """Return the team's physical indices that no record names and that are older than an hour."""
    before = microseconds() - _YOUNG
    # Listed before the registry is asked, so that one registered meanwhile is found there.
    names = store.engine.writer.physical_names(alias(team, IndexName("")))
    return [name for name in names if _generation(name) < before and not _registered(store, team, name)]


def drop_orphans(store: IndexStore, team: TeamId) -> int:
    """Drop what a process left that died between two steps; return how many there were."""
    found = orphans(store, team)
    for physical in found:
        store.engine.writer.drop(physical)
    return len(found)


def _registered(store: IndexStore, team: TeamId, physical: PhysicalName) -> bool:
    registry = store.registry
    index = IndexName(physical.split(".")[2])
    record = registry.get_or_new(team, index, registry.current("local"))
    return physical in {target.physical for target in record.all_physical()}


def _generation(physical: PhysicalName) -> int:
    number = physical.rpartition(".")[2]
    # Whatever bears our prefix and is not named as we name is not ours to drop: it counts as young.
    return int(number) if number.isdecimal() and physical.count(".") == 3 else 2**63
