"""Drops physical indices that are no longer needed: retired generations after their grace time, and orphans."""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final

from indexer.engines.port import Target
from indexer.errors import MissingIndex, PlatformError
from indexer.index.record import IndexRecord
from indexer.index.revisions import now_microseconds
from indexer.index.store import IndexStore
from indexer.tenancy import ARCHIVE_INDEX, IndexName, PhysicalName, TeamId, alias

_ORPHAN_GRACE_MICROSECONDS: Final = 60 * 60 * 1_000_000
"""A younger physical index may still be about to be registered."""


def every_index(store: IndexStore) -> Iterator[IndexRecord]:
    """Yield the indices of all teams, archives included."""
    for team in store.registry.teams():
        yield from store.registry.of_team(team)
        yield store.registry.get(team, ARCHIVE_INDEX)


def retire(store: IndexStore, team: TeamId, index: IndexName) -> int:
    """Drop the retired generations whose grace time is over; return how many were dropped."""
    now = time.time()
    expired: list[Target] = []

    def remove_expired(record: IndexRecord) -> IndexRecord | None:
        expired[:] = [record.target(old.generation) for old in record.retired if old.until <= now]
        return replace(record, retired=tuple(old for old in record.retired if old.until > now)) if expired else None

    store.registry.change(team, index, remove_expired)
    if expired:
        # The rebuild may have died before it moved the alias; dropping the old generation would then drop the alias.
        publish(store, team, index)
    # The registry changes first: a writer that hits a dropped index reads the record again and must not find it there.
    for target in expired:
        store.engine.writer.drop(target.physical)
    return len(expired)


def retire_if_due(store: IndexStore, record: IndexRecord) -> None:
    """Call `retire` if the record has an expired generation. A failure is ignored: the next call tries again."""
    if any(old.until <= time.time() for old in record.retired):
        with suppress(PlatformError):
            retire(store, record.team, record.index)


def publish(store: IndexStore, team: TeamId, index: IndexName) -> None:
    """Point the alias at the generation that the registry names as serving."""
    target = store.registry.get(team, index).serving_target()
    if target is not None:
        with suppress(MissingIndex):  # the index was deleted concurrently
            store.engine.writer.publish(alias(team, index), target.physical)


def orphans(store: IndexStore, team: TeamId) -> list[PhysicalName]:
    """Return the team's physical indices that no record names and that are older than an hour."""
    newest = now_microseconds() - _ORPHAN_GRACE_MICROSECONDS
    # Listed before the registry is read: an index that is registered in between then counts as registered.
    names = store.engine.writer.physical_names(alias(team, IndexName("")))
    return [name for name in names if _generation(name) < newest and not _is_registered(store, team, name)]


def drop_orphans(store: IndexStore, team: TeamId) -> int:
    """Drop the physical indices of processes that died before registering them; return how many were dropped."""
    names = orphans(store, team)
    for physical in names:
        store.engine.writer.drop(physical)
    return len(names)


def _is_registered(store: IndexStore, team: TeamId, physical: PhysicalName) -> bool:
    registry = store.registry
    index = IndexName(physical.split(".")[2])
    record = registry.get_or_new(team, index, registry.current("local"))
    return physical in {target.physical for target in record.all_physical()}


def _generation(physical: PhysicalName) -> int:
    number = physical.rpartition(".")[2]
    # A name of another form was not created by this service: it gets the highest number and is never dropped.
    return int(number) if number.isdecimal() and physical.count(".") == 3 else 2**63
