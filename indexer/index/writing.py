"""Writing documents so that nothing acknowledged is lost: to every generation, checked against the registry after."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, TypeVar

from indexer.engines.port import Deleted, Deletion, Document, Target, Written
from indexer.errors import MissingIndex, PlatformError
from indexer.index.adapt import adapt_documents
from indexer.index.deletion_log import logged_revision, newer_deletions
from indexer.index.generations import retire_if_due
from indexer.index.reading import index_data_missing
from indexer.index.record import Generation, IndexRecord
from indexer.index.store import IndexStore
from indexer.tenancy import DocumentId, IndexName, PhysicalName, TeamId

Outcome = TypeVar("Outcome")
MOST_ATTEMPTS: Final = 50
"""Each one lost means that somebody else's change was made: only a crowd on one document gets this far."""


def write_documents(
    store: IndexStore, team: TeamId, index: IndexName, documents: Sequence[Document], *, refresh: bool = True
) -> list[Written]:
    """Write with the revisions given: `superseded` stands. One outcome each, in the order given."""
    outcomes = to_all_targets(
        store,
        lambda: serving_record(store, team, index),
        lambda target: store.engine.writer.write(target, adapt_documents(store, target.definition, documents)),
        shadow_diverged=_shadow_diverged,
        refresh=refresh,
    )
    # Engines forget what was deleted, some at once: an old write must not bring a document back.
    newer = newer_deletions(store.engine.records, team, index, documents)
    if newer:
        delete_everywhere(store, team, index, list(newer.values()))
    return [Written(outcome.id, "superseded") if outcome.id in newer else outcome for outcome in outcomes]


def delete_everywhere(
    store: IndexStore, team: TeamId, index: IndexName, deletions: Sequence[Deletion]
) -> list[Deleted]:
    """Delete with the revisions given, which the log has already; one outcome each, in the order given."""
    return to_all_targets(
        store,
        lambda: store.registry.get(team, index),
        lambda target: store.engine.writer.delete(target, deletions),
        shadow_diverged=lambda _served, _shadowed: False,
        refresh=True,
    )


def put_documents(store: IndexStore, team: TeamId, index: IndexName, documents: Sequence[Document]) -> list[Written]:
    """Write as the newest, whatever is there: a write that loses is done again above what it lost against."""
    current = list(documents)
    outcomes = write_documents(store, team, index, current)
    for _ in range(MOST_ATTEMPTS):
        lost = [place for place, outcome in enumerate(outcomes) if outcome.status == "superseded"]
        if not lost:
            break
        highest = newest_revisions(store, team, index, [current[place].id for place in lost])
        for place in lost:
            revision = store.clock.next(above=highest[current[place].id])
            highest[current[place].id] = revision
            current[place] = replace(current[place], revision=revision)
        again = write_documents(store, team, index, [current[place] for place in lost])
        for place, outcome in zip(lost, again, strict=True):
            outcomes[place] = outcome
    return outcomes


def newest_revisions(
    store: IndexStore, team: TeamId, index: IndexName, ids: Sequence[DocumentId]
) -> dict[DocumentId, int]:
    """Return the revision to stay above for each document: of what is stored, or of its deletion."""
    record = store.registry.get(team, index)
    newest = {id_: logged_revision(store.engine.records, team, index, id_) for id_ in ids}
    for target in record.targets():
        with suppress(MissingIndex):  # dropped since: the others have what it had
            for stored in store.engine.writer.get_many(target, list(newest), text=False):
                if stored is not None:
                    newest[stored.id] = max(newest[stored.id], stored.revision)
    return newest


def serving_record(store: IndexStore, team: TeamId, index: IndexName) -> IndexRecord:
    """Return a record that has a serving generation, made now if this is the first write."""
    registry, writer = store.registry, store.engine.writer
    while True:
        record = registry.get(team, index)
        if record.serving is not None:
            return record
        generation = Generation(store.clock.next(), record.definition)
        target = record.target(generation)
        writer.create(target, record.alias)
        saved = registry.save(replace(record, serving=generation))
        if saved is not None:
            # Another process's try may have taken the alias first and dropped it with its own index.
            with suppress(MissingIndex):  # deleted already: the write will notice
                writer.publish(record.alias, target.physical)
            return saved
        if _serving_number(store, team, index) != generation.number:
            writer.drop(target.physical)


def refresh_all(store: IndexStore, record: IndexRecord) -> None:
    """Return when what was written is found in every generation; a shadow's failure fails its build alone."""
    for target in record.targets():
        try:
            store.engine.writer.refresh(target)
        except MissingIndex:
            continue  # deleted since: there is nothing left to be found
        except PlatformError as error:
            if target != record.shadow_target():
                raise
            _fail_rebuild(store, record, error.message)


def to_all_targets(
    store: IndexStore,
    record_now: Callable[[], IndexRecord],
    work: Callable[[Target], list[Outcome]],
    *,
    shadow_diverged: Callable[[list[Outcome], list[Outcome]], bool],
    refresh: bool,
) -> list[Outcome]:
    """Do the work in every target of a record that was read after the work was done; return what the serving one said.

    `shadow_diverged` tells from the outcomes of the serving generation and of the shadow whether to give up the shadow.
    """
    done: dict[PhysicalName, list[Outcome]] = {}
    served: list[Outcome] | None = None
    vanished: tuple[PhysicalName, str | None] | None = None
    while True:
        record = record_now()
        waiting = [target for target in record.targets() if target.physical not in done]
        if not waiting:
            break
        target = waiting[0]
        try:
            outcomes = _attempt(store, record, target, work)
        except MissingIndex:
            if vanished == (target.physical, record.revision):
                _lost(store, record, target)
            vanished = (target.physical, record.revision)
            continue
        if (
            served is not None
            and target == record.shadow_target()
            and outcomes is not None
            and shadow_diverged(served, outcomes)
        ):
            _fail_rebuild(store, record, "a document could not be written")
        elif outcomes is not None:
            done[target.physical] = outcomes
            # What a generation refused that has become the serving one is not there, whatever the old one said.
            if served is None or (target == record.serving_target() and shadow_diverged(served, outcomes)):
                served = outcomes
    if refresh:
        refresh_all(store, record)
    retire_if_due(store, record)
    return served or []


def _attempt(
    store: IndexStore, record: IndexRecord, target: Target, work: Callable[[Target], list[Outcome]]
) -> list[Outcome] | None:
    """Do the work in one target; None where it was a shadow, whose build has failed now."""
    try:
        return work(target)
    except PlatformError as error:
        if target != record.shadow_target():
            raise
        _fail_rebuild(store, record, error.message)
        return None


def _shadow_diverged(served: list[Written], shadowed: list[Written]) -> bool:
    pairs = zip(served, shadowed, strict=True)
    return any(second.status == "failed" and first.status != "failed" for first, second in pairs)


def _lost(store: IndexStore, record: IndexRecord, target: Target) -> None:
    """Say that the registry names what the engine does not have; of a shadow only its build must hear."""
    if target != record.shadow_target():
        raise index_data_missing(record.index) from None
    _fail_rebuild(store, record, "its data is gone from the engine")


def _fail_rebuild(store: IndexStore, record: IndexRecord, reason: str) -> None:
    if record.shadow is not None:
        store.registry.fail_rebuild(record.team, record.index, record.shadow.generation.number, reason)


def _serving_number(store: IndexStore, team: TeamId, index: IndexName) -> int | None:
    serving = store.registry.get(team, index).serving
    return serving.number if serving else None
