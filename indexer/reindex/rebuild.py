"""Rebuilding an index behind its name while people search it and write to it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from indexer.errors import Conflict
from indexer.index.generations import every_entry, publish, retire
from indexer.index.record import Entry
from indexer.index.store import IndexStore
from indexer.reindex.backfill import copy_documents, replay_deletions
from indexer.reindex.session import Build, building
from indexer.reindex.upgrade import upgraded
from indexer.reindex.verify import verify
from indexer.tenancy import IndexName, TeamId

Step = Literal["registered", "copied", "replayed", "verified", "swapped"]


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """What a rebuild did; an index that was never written to has no generation."""

    documents: int
    generation: int | None
    resumed: bool


@dataclass(frozen=True, slots=True)
class Abandoned:
    """A build whose owner does not live: for `building.discard`, or for the same owner to go on with."""

    team: TeamId
    index: IndexName
    owner: str
    generation: int


class Cancelled(Conflict):
    """The rebuild was stopped on request; the index is as before."""

    def __init__(self, index: IndexName) -> None:
        super().__init__(f"The rebuild of {index} was cancelled", action="Start it again when it is wanted")


def rebuild(
    store: IndexStore,
    team: TeamId,
    index: IndexName,
    *,
    owner: str,
    progress: Callable[[float], None],
    cancelled: Callable[[], bool],
    reached: Callable[[Step], None] = lambda _step: None,
) -> RebuildReport:
    """Make an index anew by the current definition. Blocking; the index serves and takes writes all the time.

    `owner` names this one rebuild (a job's id). Called again after the process died it begins anew, or only reports if
    the swap was made. `cancelled` is asked before each batch, `reached` is told each step once it is done.
    """
    entry = store.registry.entry(team, index)
    if entry.building is None and any(old.owner == owner for old in entry.retiring):
        return _done_before(store, entry)
    retire(store, team, index)
    if entry.serving is None:
        entry = store.registry.change(team, index, lambda entry: _renewed_unwritten(store, entry))
        if entry.serving is None:
            return RebuildReport(0, None, resumed=False)
    definition = upgraded(entry.definition, store.registry.current(entry.definition.kind))
    with building(store, team, index, definition, owner) as build:
        reached("registered")
        documents = _filled(build, progress, lambda: _go_on(build, cancelled), reached)
    reached("swapped")
    progress(1.0)
    return RebuildReport(documents, build.generation, build.resumed)


def abandoned(store: IndexStore, lives: Callable[[str], bool]) -> list[Abandoned]:
    """Return the builds of all teams whose owner, as `lives` says, is not at work any more."""
    return [
        Abandoned(entry.team, entry.index, entry.building.owner, entry.building.generation.number)
        for entry in every_entry(store)
        if entry.building is not None and not lives(entry.building.owner)
    ]


def _filled(
    build: Build, progress: Callable[[float], None], pulse: Callable[[], None], reached: Callable[[Step], None]
) -> int:
    def copied(part: float) -> None:
        progress(0.8 * part)
        pulse()

    pulse()
    copy_documents(build, copied)
    reached("copied")
    pulse()
    replay_deletions(build)
    reached("replayed")
    progress(0.85)
    documents = verify(build, pulse)
    reached("verified")
    progress(0.95)
    pulse()
    return documents


def _go_on(build: Build, cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise Cancelled(build.index)
    build.check()


def _done_before(store: IndexStore, entry: Entry) -> RebuildReport:
    target = entry.reading()
    if target is None or entry.serving is None:
        return RebuildReport(0, None, resumed=True)
    # The earlier run may have died just before this.
    publish(store, entry.team, entry.index)
    store.engine.writer.refresh(target)
    return RebuildReport(store.engine.writer.count(target), entry.serving.number, resumed=True)


def _renewed_unwritten(store: IndexStore, entry: Entry) -> Entry | None:
    """Renew a definition that no physical index follows yet."""
    definition = upgraded(entry.definition, store.registry.current(entry.definition.kind))
    if entry.serving is not None or entry.revision is None or definition == entry.definition:
        return None
    return replace(entry, definition=definition)
