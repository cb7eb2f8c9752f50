"""Rebuilding an index behind its name while people search it and write to it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from indexer.errors import Conflict
from indexer.index.generations import every_index, publish, retire
from indexer.index.record import IndexRecord
from indexer.index.store import IndexStore
from indexer.reindex.backfill import copy_documents, replay_deletions
from indexer.reindex.session import RebuildSession, rebuilding
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
    record = store.registry.get(team, index)
    if record.shadow is None and any(old.owner == owner for old in record.retired):
        return _done_before(store, record)
    retire(store, team, index)
    if record.serving is None:
        record = store.registry.change(team, index, lambda record: _renewed_unwritten(store, record))
        if record.serving is None:
            return RebuildReport(0, None, resumed=False)
    definition = upgraded(record.definition, store.registry.current(record.definition.kind))
    with rebuilding(store, team, index, definition, owner) as session:
        reached("registered")
        documents = _filled(session, progress, lambda: _go_on(session, cancelled), reached)
    reached("swapped")
    progress(1.0)
    return RebuildReport(documents, session.generation, session.resumed)


def abandoned(store: IndexStore, lives: Callable[[str], bool]) -> list[Abandoned]:
    """Return the builds of all teams whose owner, as `lives` says, is not at work any more."""
    return [
        Abandoned(record.team, record.index, record.shadow.owner, record.shadow.generation.number)
        for record in every_index(store)
        if record.shadow is not None and not lives(record.shadow.owner)
    ]


def _filled(
    session: RebuildSession,
    progress: Callable[[float], None],
    pulse: Callable[[], None],
    reached: Callable[[Step], None],
) -> int:
    def copied(part: float) -> None:
        progress(0.8 * part)
        pulse()

    pulse()
    copy_documents(session, copied)
    reached("copied")
    pulse()
    replay_deletions(session)
    reached("replayed")
    progress(0.85)
    documents = verify(session, pulse)
    reached("verified")
    progress(0.95)
    pulse()
    return documents


def _go_on(session: RebuildSession, cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise Cancelled(session.index)
    session.check()


def _done_before(store: IndexStore, record: IndexRecord) -> RebuildReport:
    target = record.serving_target()
    if target is None or record.serving is None:
        return RebuildReport(0, None, resumed=True)
    # The earlier run may have died just before this.
    publish(store, record.team, record.index)
    store.engine.writer.refresh(target)
    return RebuildReport(store.engine.writer.count(target), record.serving.number, resumed=True)


def _renewed_unwritten(store: IndexStore, record: IndexRecord) -> IndexRecord | None:
    """Renew a definition that no physical index follows yet."""
    definition = upgraded(record.definition, store.registry.current(record.definition.kind))
    if record.serving is not None or record.revision is None or definition == record.definition:
        return None
    return replace(record, definition=definition)
