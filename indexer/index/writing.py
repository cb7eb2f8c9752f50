"""Writes documents so that no acknowledged write is lost during a re-index.

A write goes to every generation of the index: the serving one, the shadow that a re-index fills, and retired ones that
readers may still use. It begins with the record that the caller has read. The registry is read again after each write,
until no generation is missing: a shadow that was registered in between gets the write too.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, TypeVar

from indexer.engines.port import Deleted, Deletion, Document, Target, Written
from indexer.errors import MissingIndex, PlatformError
from indexer.index.adapt import adapt_documents
from indexer.index.deletion_log import logged_revisions, newer_deletions
from indexer.index.generations import retire_if_due
from indexer.index.reading import index_data_missing
from indexer.index.record import Generation, IndexRecord
from indexer.index.store import IndexStore
from indexer.tenancy import DocumentId, IndexName, PhysicalName, TeamId

Outcome = TypeVar("Outcome")
MAX_ATTEMPTS: Final = 50
"""A lost attempt means that a concurrent write won, so only heavy contention on one document comes near this."""


def write_documents(
    store: IndexStore, team: TeamId, index: IndexName, documents: Sequence[Document], *, refresh: bool = True
) -> list[Written]:
    """Write documents with their own revisions; return one outcome each, in the order given.

    A document that is older than the stored one, or than its last deletion, is `superseded` and not retried.
    """
    record = store.registry.get(team, index)
    outcomes = write_everywhere(store, record, documents, refresh=refresh)
    return delete_again(store, record, documents, outcomes)


def write_everywhere(
    store: IndexStore, record: IndexRecord, documents: Sequence[Document], *, refresh: bool = True
) -> list[Written]:
    """Write in every generation; return one outcome each, in the order given. Check the deletion log afterwards."""

    def read_record() -> IndexRecord:
        return ensure_serving_generation(store, record.team, record.index)

    return _apply_to_all_targets(
        store,
        record if record.serving is not None else read_record(),
        read_record,
        lambda target: store.engine.writer.write(target, adapt_documents(store, target.definition, documents)),
        shadow_diverged=_shadow_rejected_a_document,
        refresh=refresh,
    )


def delete_again(
    store: IndexStore, record: IndexRecord, documents: Sequence[Document], outcomes: Sequence[Written]
) -> list[Written]:
    """Delete the documents whose deletion is newer than they are; these are `superseded`.

    Engines do not remember deletions for long, so a late retry may have brought a deleted document back.
    """
    newer = newer_deletions(store.engine.records, record.team, record.index, documents)
    if newer:
        delete_everywhere(store, record, list(newer.values()))
    return [Written(outcome.id, "superseded") if outcome.id in newer else outcome for outcome in outcomes]


def delete_everywhere(store: IndexStore, record: IndexRecord, deletions: Sequence[Deletion]) -> list[Deleted]:
    """Delete in every generation; return one outcome each, in the order given. Log the deletions first."""
    return _apply_to_all_targets(
        store,
        record,
        lambda: store.registry.get(record.team, record.index),
        lambda target: store.engine.writer.delete(target, deletions),
        shadow_diverged=lambda _serving, _shadow: False,
        refresh=True,
    )


def newest_revisions(store: IndexStore, record: IndexRecord, ids: Sequence[DocumentId]) -> dict[DocumentId, int]:
    """Return for each document its highest revision in any generation or in the deletion log; 0 if it has none."""
    newest = logged_revisions(store.engine.records, record.team, record.index, ids)
    for target in record.targets():
        with suppress(MissingIndex):  # this generation was dropped; the others hold the same documents
            for id_, revision in store.engine.writer.revisions(target, list(newest)).items():
                newest[id_] = max(newest[id_], revision)
    return newest


def ensure_serving_generation(store: IndexStore, team: TeamId, index: IndexName) -> IndexRecord:
    """Return the index's record; the first write to an index creates its serving generation here."""
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
            # A concurrent first write may have taken the alias, lost the compare-and-set and dropped its index.
            with suppress(MissingIndex):  # the index was deleted concurrently; the caller's write handles that
                writer.publish(record.alias, target.physical)
            return saved
        # A lost response may hide that the save succeeded, so the registry decides whether to drop the new index.
        if _serving_number(store, team, index) != generation.number:
            writer.drop(target.physical)


def refresh_all(store: IndexStore, record: IndexRecord) -> None:
    """Make all writes visible to searches, in every generation. A failing shadow fails its rebuild only."""
    for target in record.targets():
        try:
            store.engine.writer.refresh(target)
        except MissingIndex:
            continue  # this generation was dropped concurrently
        except PlatformError as error:
            if target != record.shadow_target():
                raise
            _fail_rebuild(store, record, error.message)


def _apply_to_all_targets(
    store: IndexStore,
    record: IndexRecord,
    read_record: Callable[[], IndexRecord],
    operation: Callable[[Target], list[Outcome]],
    *,
    shadow_diverged: Callable[[list[Outcome], list[Outcome]], bool],
    refresh: bool,
) -> list[Outcome]:
    """Apply an idempotent operation to every target of the record; return the outcomes of the serving generation.

    The loop ends when a record that was read after the last operation names no target without the operation.
    `shadow_diverged` compares the outcomes of the serving generation and of the shadow; if true, the rebuild fails.
    """
    done: dict[PhysicalName, list[Outcome]] = {}
    serving_outcomes: list[Outcome] | None = None
    missing: tuple[PhysicalName, str | None] | None = None
    while pending := [target for target in record.targets() if target.physical not in done]:
        target = pending[0]
        try:
            outcomes = _apply(store, record, target, operation)
        except MissingIndex:
            # The first time, the record may be outdated. If a fresh one is the same, the data is lost.
            if missing == (target.physical, record.revision):
                _handle_lost_data(store, record, target)
            missing = (target.physical, record.revision)
            record = read_record()
            continue
        if (
            serving_outcomes is not None
            and target == record.shadow_target()
            and outcomes is not None
            and shadow_diverged(serving_outcomes, outcomes)
        ):
            _fail_rebuild(store, record, "a document could not be written")
        elif outcomes is not None:
            done[target.physical] = outcomes
            # After a swap the new generation serves: a document that it rejected is not stored, so its outcome counts.
            if serving_outcomes is None or (
                target == record.serving_target() and shadow_diverged(serving_outcomes, outcomes)
            ):
                serving_outcomes = outcomes
        record = read_record()
    if refresh:
        refresh_all(store, record)
    retire_if_due(store, record)
    return serving_outcomes or []


def _apply(
    store: IndexStore, record: IndexRecord, target: Target, operation: Callable[[Target], list[Outcome]]
) -> list[Outcome] | None:
    """Apply the operation to one target. If the shadow fails, fail its rebuild and return None."""
    try:
        return operation(target)
    except PlatformError as error:
        if target != record.shadow_target():
            raise
        _fail_rebuild(store, record, error.message)
        return None


def _shadow_rejected_a_document(serving: list[Written], shadow: list[Written]) -> bool:
    pairs = zip(serving, shadow, strict=True)
    return any(second.status == "failed" and first.status != "failed" for first, second in pairs)


def _handle_lost_data(store: IndexStore, record: IndexRecord, target: Target) -> None:
    """Raise if the engine has lost a registered index; if it is the shadow, fail its rebuild only."""
    if target != record.shadow_target():
        raise index_data_missing(record.index) from None
    _fail_rebuild(store, record, "its data is gone from the engine")


def _fail_rebuild(store: IndexStore, record: IndexRecord, reason: str) -> None:
    if record.shadow is not None:
        store.registry.fail_rebuild(record.team, record.index, record.shadow.generation.number, reason)


def _serving_number(store: IndexStore, team: TeamId, index: IndexName) -> int | None:
    serving = store.registry.get(team, index).serving
    return serving.number if serving else None
