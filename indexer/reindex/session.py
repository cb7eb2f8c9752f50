"""The life of a shadow: registered, filled by the caller, then swapped in as the serving generation or discarded."""

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
    """Another rebuild of the same index is running."""

    def __init__(self, message: str, owner: str) -> None:
        super().__init__(message, action="Wait until it has finished, or cancel it", details={"job_id": owner})
        self.owner = owner


@dataclass(frozen=True, slots=True)
class RebuildSession:
    """A running rebuild whose shadow is registered, so that all writers write to it too."""

    store: IndexStore
    team: TeamId
    index: IndexName
    owner: str
    old: Target
    """The serving generation, which the shadow replaces."""
    shadow: Target
    generation: int
    """The shadow's number."""
    resumed: bool
    """Whether an earlier run of the same owner left a shadow, which this one replaces."""

    def check(self) -> None:
        """Raise if a write to the shadow failed, or if the shadow is no longer registered."""
        self.require_shadow(self.store.registry.get(self.team, self.index))

    def require_shadow(self, record: IndexRecord) -> ShadowRecord:
        """Return this session's shadow from the record; raise as `check` does."""
        shadow = record.shadow
        if shadow is None or shadow.generation.number != self.generation:
            raise _ended_from_outside(self.index)
        if shadow.failed is not None:
            raise Unavailable(
                f"The rebuild of {self.index} failed: {shadow.failed}",
                action="Start it again when the engine is well; the index serves as before",
            )
        return shadow


@contextmanager
def rebuilding(
    store: IndexStore, team: TeamId, index: IndexName, definition: IndexDefinition, owner: str
) -> Iterator[RebuildSession]:
    """Register a shadow for the block to fill; swap it in at the end, discard it on an exception.

    A shadow that the same owner left is replaced. Raises `RebuildRunning` if another owner is rebuilding. A
    `BaseException` (the process is stopping) leaves the shadow as it is, for the next run of the same owner.
    """
    session = _start_session(store, team, index, definition, owner)
    try:
        yield session
        _swap(session)
    except MissingIndex:
        _discard_after_failure(session)
        raise _ended_from_outside(index) from None
    except Exception:
        _discard_after_failure(session)
        raise


def discard(store: IndexStore, team: TeamId, index: IndexName, generation: int) -> bool:
    """Unregister a shadow, then drop it; False if it is not registered any more or serves already."""
    removed: list[Target] = []

    def remove_shadow(record: IndexRecord) -> IndexRecord | None:
        removed.clear()
        if record.shadow is None or record.shadow.generation.number != generation:
            return None
        removed.append(record.target(record.shadow.generation))
        return replace(record, shadow=None)

    try:
        store.registry.change(team, index, remove_shadow)
    except NotFound:  # the index was deleted, with all its physical indices
        return False
    for target in removed:
        store.engine.writer.drop(target.physical)
    return bool(removed)


def _discard_after_failure(session: RebuildSession) -> None:
    # The caller must see the original error. A shadow that stays is replaced by the owner's next run, or swept.
    with suppress(PlatformError):
        discard(session.store, session.team, session.index, session.generation)


def _start_session(
    store: IndexStore, team: TeamId, index: IndexName, definition: IndexDefinition, owner: str
) -> RebuildSession:
    resumed = False
    while True:
        record = store.registry.get(team, index)
        existing = record.shadow
        if existing is None:
            shadow = _register_shadow(store, record, definition, owner)
            if shadow is not None:
                return _build_session(store, record, shadow, resumed=resumed)
        elif existing.owner != owner and existing.failed is None:
            raise RebuildRunning(f"A rebuild of {index} is on already, by {existing.owner}", existing.owner)
        else:
            # Fencing: an earlier run may be stalled, not dead, and its late writes would reach a reused shadow after
            # the swap. A new shadow has a new physical index, so these writes fail.
            discard(store, team, index, existing.generation.number)
            resumed = resumed or existing.owner == owner


def _register_shadow(
    store: IndexStore, record: IndexRecord, definition: IndexDefinition, owner: str
) -> ShadowRecord | None:
    """Create the physical index, then register it; None if the record changed concurrently.

    This order matters: writers write to every registered generation, so it must exist.
    """
    if record.serving is None:
        raise NotApplicable(f"There is nothing in {record.index} yet", action="Add documents first")
    shadow = ShadowRecord(Generation(store.clock.next(), definition), owner)
    target = record.target(shadow.generation)
    store.engine.writer.create(target, record.alias)
    if store.registry.save(replace(record, shadow=shadow)) is not None:
        return shadow
    if not _is_registered(store, record, shadow):
        store.engine.writer.drop(target.physical)
    return None


def _is_registered(store: IndexStore, record: IndexRecord, shadow: ShadowRecord) -> bool:
    """Return whether the shadow was registered although the save reported a conflict (its response was lost)."""
    try:
        current = store.registry.get(record.team, record.index).shadow
    except NotFound:
        return False
    return current is not None and current.generation == shadow.generation


def _build_session(store: IndexStore, record: IndexRecord, shadow: ShadowRecord, *, resumed: bool) -> RebuildSession:
    old, new = record.serving_target(), record.target(shadow.generation)
    if old is None:
        raise _ended_from_outside(record.index)
    return RebuildSession(store, record.team, record.index, shadow.owner, old, new, shadow.generation.number, resumed)


def _swap(session: RebuildSession) -> None:
    """Make the shadow the serving generation and retire the old one, in one compare-and-set of the record."""
    store = session.store
    store.engine.writer.refresh(session.shadow)

    def swap(record: IndexRecord) -> IndexRecord | None:
        if record.serving is not None and record.serving.number == session.generation:
            return None  # an earlier attempt swapped, but its response was lost
        generation = session.require_shadow(record).generation
        replaced = () if record.serving is None else (_retired_generation(store, record.serving, session.owner),)
        return replace(
            record,
            definition=generation.definition,
            serving=generation,
            shadow=None,
            retired=(*replaced, *record.retired),
        )

    store.registry.change(session.team, session.index, swap)
    publish(store, session.team, session.index)


def _retired_generation(store: IndexStore, generation: Generation, owner: str) -> RetiredGeneration:
    return RetiredGeneration(generation, time.time() + store.rebuild_grace, owner)


def _ended_from_outside(index: IndexName) -> Conflict:
    return Conflict(
        f"The rebuild of {index} was ended from outside: discarded, finished by another run, or the index is deleted",
        action="Look at the index, and start again if it is still to be rebuilt",
    )
