"""Puts documents as the newest change, and leaves those that are stored unchanged as they are."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from indexer.engines.port import Document, Written
from indexer.errors import PlatformError
from indexer.index.record import IndexRecord
from indexer.index.store import IndexStore
from indexer.index.unchanged import find_unchanged
from indexer.index.writing import MAX_ATTEMPTS, delete_again, newest_revisions, write_everywhere


def put_documents(store: IndexStore, record: IndexRecord, documents: Sequence[Document]) -> list[Written]:
    """Write documents as the newest change; those that are stored unchanged stay as they are.

    The record may be as old as the call.
    On a revision conflict, retry with a higher revision.
    """
    current = list(documents)
    outcomes = _write_changed(store, record, current)
    for _ in range(MAX_ATTEMPTS):
        superseded = [position for position, outcome in enumerate(outcomes) if outcome.status == "superseded"]
        if not superseded:
            break
        record = store.registry.get(record.team, record.index)
        newest = newest_revisions(store, record, [current[position].id for position in superseded])
        for position in superseded:
            revision = store.clock.next(above=newest[current[position].id])
            newest[current[position].id] = revision
            current[position] = replace(current[position], revision=revision)
        retried = _write_changed(store, record, [current[position] for position in superseded])
        for position, outcome in zip(superseded, retried, strict=True):
            outcomes[position] = outcome
    return outcomes


def _write_changed(store: IndexStore, record: IndexRecord, documents: Sequence[Document]) -> list[Written]:
    """Write documents, but give unchanged ones the revision that is stored.

    A generation that has this revision then stays as it is, and one that lacks it gets the document.
    """
    unchanged = _unchanged(store, record, documents)
    revised = [same or document for same, document in zip(unchanged, documents, strict=True)]
    outcomes = [
        Written(outcome.id, "updated") if same and outcome.status == "superseded" else outcome
        for same, outcome in zip(unchanged, write_everywhere(store, record, revised), strict=True)
    ]
    return delete_again(store, record, revised, outcomes)


def _unchanged(store: IndexStore, record: IndexRecord, documents: Sequence[Document]) -> Sequence[Document | None]:
    target = record.serving_target()
    if target is not None:
        # If the documents cannot be read, they are written: a write waits for a shard, or fails with the reason.
        with suppress(PlatformError):
            return find_unchanged(store.engine.writer, target, documents)
    return [None] * len(documents)
