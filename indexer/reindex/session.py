"""A new generation of an index, filled behind the one that serves: it takes its place, or is discarded."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from indexer.engines.port import Target
from indexer.errors import Conflict, MissingIndex, NotApplicable, NotFound, PlatformError, Unavailable
from indexer.index.generations import publish
from indexer.index.record import Generation, IndexRecord, RetiredGeneration, ShadowRecord
from indexer.index.store import IndexStore
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import IndexName, TeamId


class RebuildRunning(Conflict):
    """Another rebuild of the same index is on."""

    def __init__(self, message: str, owner: str) -> None:
        super().__init__(message, action="Wait until it has finished, or cancel it", details={"job_id": owner})
        self.owner = owner


@dataclass(frozen=True, slots=True)
class RebuildSession:
    """A registered shadow: from now on writers write to it too."""

    store: IndexStore
    team: TeamId
    index: IndexName
    owner: str
    old: Target
    shadow: Target
    generation: int
    resumed: bool
    """Whether an earlier run of the same owner had left a shadow, which this one replaces."""

    def check(self) -> None:
        """Raise if a writer could not write to the shadow, or if somebody has taken it away."""
        self.require(self.store.registry.get(self.team, self.index))

    def require(self, record: IndexRecord) -> ShadowRecord:
        """Return this session as the record has it; raise as `check` does."""
        building = record.shadow
        if building is None or building.generation.number != self.generation:
            raise _taken_away(self.index)
        if building.failed is not None:
            raise Unavailable(
                f"The rebuild of {self.index} failed: {building.failed}",
                action="Start it again when the engine is well; the index serves as before",
            )
        return building


@contextmanager
def rebuilding(
    store: IndexStore, team: TeamId, index: IndexName, definition: IndexDefinition, owner: str
) -> Iterator[RebuildSession]:
    """Register a shadow to be filled, in place of one that this owner left; swap at the end, discard on failure.

    `Conflict` while another owner's build is on. What is no `Exception` (the process is told to end) leaves everything
    as it is, for the same owner's next run.
    """
    session = _begun(store, team, index, definition, owner)
    try:
        yield session
        _swap(session)
    except MissingIndex:
        _give_up(session)
        raise _taken_away(index) from None
    except Exception:
        _give_up(session)
        raise


def discard(store: IndexStore, team: TeamId, index: IndexName, generation: int) -> bool:
    """Remove a shadow, its mark in the registry first; False if it is not there any more, or serves already."""
    found: list[Target] = []

    def without(record: IndexRecord) -> IndexRecord | None:
        found.clear()
        if record.shadow is None or record.shadow.generation.number != generation:
            return None
        found.append(record.target(record.shadow.generation))
        return replace(record, shadow=None)

    try:
        store.registry.change(team, index, without)
    except NotFound:  # deleted, with all its physical indices
        return False
    for target in found:
        store.engine.writer.drop(target.physical)
    return bool(found)


def _give_up(session: RebuildSession) -> None:
    # What failed is told, not that cleaning up failed too: the mark stays for the same owner, or for a sweep.
    with suppress(PlatformError):
        discard(session.store, session.team, session.index, session.generation)


def _begun(
    store: IndexStore, team: TeamId, index: IndexName, definition: IndexDefinition, owner: str
) -> RebuildSession:
    resumed = False
    while True:
        record = store.registry.get(team, index)
        left = record.shadow
        if left is None:
            mark = _registered(store, record, definition, owner)
            if mark is not None:
                return _build(store, record, mark, resumed=resumed)
        elif left.owner != owner and left.failed is None:
            raise RebuildRunning(f"A rebuild of {index} is on already, by {left.owner}", left.owner)
        else:
            # Never filled further: an earlier run may be stalled, not dead, and its last old write would come late
            # into an index that serves by then. In a shadow of its own it finds nothing to write to.
            discard(store, team, index, left.generation.number)
            resumed = resumed or left.owner == owner


def _registered(store: IndexStore, record: IndexRecord, definition: IndexDefinition, owner: str) -> ShadowRecord | None:
    """Make the physical index, then name it in the registry: a writer must never be sent to one that is not there."""
    if record.serving is None:
        raise NotApplicable(f"There is nothing in {record.index} yet", action="Add documents first")
    mark = ShadowRecord(Generation(store.clock.next(), definition), owner)
    shadow = record.target(mark.generation)
    store.engine.writer.create(shadow, record.alias)
    if store.registry.save(replace(record, shadow=mark)) is not None:
        return mark
    if not _recorded(store, record, mark):
        store.engine.writer.drop(shadow.physical)
    return None


def _recorded(store: IndexStore, record: IndexRecord, mark: ShadowRecord) -> bool:
    """Tell whether a mark whose recording seemed to be refused is there after all, changed since."""
    try:
        now = store.registry.get(record.team, record.index).shadow
    except NotFound:
        return False
    return now is not None and now.generation == mark.generation


def _build(store: IndexStore, record: IndexRecord, mark: ShadowRecord, *, resumed: bool) -> RebuildSession:
    old, shadow = record.serving_target(), record.target(mark.generation)
    if old is None:
        raise _taken_away(record.index)
    return RebuildSession(store, record.team, record.index, mark.owner, old, shadow, mark.generation.number, resumed)


def _swap(session: RebuildSession) -> None:
    store = session.store
    store.engine.writer.refresh(session.shadow)

    def swapped(record: IndexRecord) -> IndexRecord | None:
        if record.serving is not None and record.serving.number == session.generation:
            return None  # by an earlier try, whose answer was lost
        generation = session.require(record).generation
        replaced = () if record.serving is None else (_retiring(store, record.serving, session.owner),)
        return replace(
            record,
            definition=generation.definition,
            serving=generation,
            shadow=None,
            retired=(*replaced, *record.retired),
        )

    store.registry.change(session.team, session.index, swapped)
    publish(store, session.team, session.index)


def _retiring(store: IndexStore, generation: Generation, owner: str) -> RetiredGeneration:
    return RetiredGeneration(generation, time.time() + store.rebuild_grace, owner)


def _taken_away(index: IndexName) -> Conflict:
    return Conflict(
        f"The rebuild of {index} was ended from outside: discarded, finished by another run, or the index is deleted",
        action="Look at the index, and start again if it is still to be rebuilt",
    )
