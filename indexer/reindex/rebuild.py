"""Rebuilds an index with the current definition while it serves searches and accepts writes.

The steps: register a shadow, copy the documents into it, replay the deletion log, verify, swap.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from indexer.errors import Conflict
from indexer.index.generations import every_index, publish, retire
from indexer.index.record import IndexRecord
from indexer.index.store import IndexStore
from indexer.reindex.backfill import copy_documents, replay_deletions
from indexer.reindex.session import RebuildSession, rebuilding
from indexer.reindex.upgrade import upgrade_definition
from indexer.reindex.verify import verify
from indexer.tenancy import IndexName, TeamId

Step = Literal["registered", "copied", "replayed", "verified", "swapped"]


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """The result of a rebuild. `generation` is None for an index that was never written to."""

    documents: int
    generation: int | None
    resumed: bool


@dataclass(frozen=True, slots=True)
class Abandoned:
    """An orphaned rebuild: pass it to `session.discard`, or call `rebuild` again with the same owner."""

    team: TeamId
    index: IndexName
    owner: str
    generation: int


class Cancelled(Conflict):
    """The rebuild was cancelled; the index is unchanged."""

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
    """Rebuild an index with the current definition. Blocking; the index stays available throughout.

    `owner` identifies this one rebuild (a job's ID). A call with the same owner after a crash starts over with a new
    shadow, or only reports if the swap was already made. `progress` gets a fraction from 0 to 1, `cancelled` is checked
    before each batch, and `reached` is called after each step.
    """
    record = store.registry.get(team, index)
    if record.shadow is None and any(old.owner == owner for old in record.retired):
        return _report_finished_rebuild(store, record)
    retire(store, team, index)
    if record.serving is None:
        record = store.registry.change(team, index, lambda record: _upgrade_unwritten(store, record))
        if record.serving is None:
            return RebuildReport(0, None, resumed=False)
    definition = upgrade_definition(record.definition, store.registry.current(record.definition.kind))
    with rebuilding(store, team, index, definition, owner) as session:
        reached("registered")
        documents = _fill_shadow(session, progress, lambda: _check_may_continue(session, cancelled), reached)
    reached("swapped")
    progress(1.0)
    return RebuildReport(documents, session.generation, session.resumed)


def abandoned(store: IndexStore, lives: Callable[[str], bool]) -> list[Abandoned]:
    """Return the orphaned rebuilds of all teams: those for whose owner `lives` returns False."""
    return [
        Abandoned(record.team, record.index, record.shadow.owner, record.shadow.generation.number)
        for record in every_index(store)
        if record.shadow is not None and not lives(record.shadow.owner)
    ]


def _fill_shadow(
    session: RebuildSession,
    progress: Callable[[float], None],
    checkpoint: Callable[[], None],
    reached: Callable[[Step], None],
) -> int:
    """Copy, replay and verify; return the number of documents. `checkpoint` raises if the rebuild must stop."""

    def report(fraction: float) -> None:
        progress(0.8 * fraction)
        checkpoint()

    checkpoint()
    copy_documents(session, report)
    reached("copied")
    checkpoint()
    replay_deletions(session)
    reached("replayed")
    progress(0.85)
    documents = verify(session, checkpoint)
    reached("verified")
    progress(0.95)
    checkpoint()
    return documents


def _check_may_continue(session: RebuildSession, cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise Cancelled(session.index)
    session.check()


def _report_finished_rebuild(store: IndexStore, record: IndexRecord) -> RebuildReport:
    target = record.serving_target()
    if target is None or record.serving is None:
        return RebuildReport(0, None, resumed=True)
    # The earlier run may have died between the swap and moving the alias.
    publish(store, record.team, record.index)
    store.engine.writer.refresh(target)
    return RebuildReport(store.engine.writer.count(target), record.serving.number, resumed=True)


def _upgrade_unwritten(store: IndexStore, record: IndexRecord) -> IndexRecord | None:
    """Upgrade the definition in place, as long as no physical index was created from it."""
    definition = upgrade_definition(record.definition, store.registry.current(record.definition.kind))
    if record.serving is not None or record.revision is None or definition == record.definition:
        return None
    return replace(record, definition=definition)
