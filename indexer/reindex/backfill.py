"""Fills a shadow from the serving generation, while writers write to both."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from indexer.engines.port import Document
from indexer.errors import Invalid, printable
from indexer.index.deletion_log import logged_deletions
from indexer.reindex.session import RebuildSession

_MAX_BATCH_DOCUMENTS: Final = 500
_MAX_BATCH_BYTES: Final = 5_000_000


def copy_documents(session: RebuildSession, report: Callable[[float], None]) -> None:
    """Copy the old generation into the shadow; call `report` after each batch with the fraction that is done."""
    writer = session.store.engine.writer
    # The shadow is registered by now: a write that missed it is already in the old generation, which is read here.
    writer.refresh(session.old)
    total = writer.count(session.old)
    done = 0
    for batch in _batches(writer.scan(session.old, text=True)):
        write_to_shadow(session, batch)
        done += len(batch)
        report(min(1.0, done / max(1, total)))


def replay_deletions(session: RebuildSession) -> None:
    """Apply the deletion log to the shadow: removes documents that were deleted after they were scanned.

    Call it after `copy_documents`, which may write a deleted document until its end.
    """
    store = session.store
    deletions = logged_deletions(store.engine.records, session.team, session.index)
    for start in range(0, len(deletions), _MAX_BATCH_DOCUMENTS):
        store.engine.writer.delete(session.shadow, deletions[start : start + _MAX_BATCH_DOCUMENTS])


def write_to_shadow(session: RebuildSession, documents: Sequence[Document]) -> None:
    """Write documents with their own revisions; `superseded` is fine, a writer has stored a newer revision."""
    definition = session.shadow.definition
    remap = session.store.remap[definition.kind]
    remapped = [remap(document, definition) for document in documents]
    for outcome in session.store.engine.writer.write(session.shadow, remapped):
        if outcome.status == "failed":
            raise Invalid(
                f"A document of {session.index} cannot be taken over: {outcome.reason}",
                action="Delete or replace this document, then start the rebuild again; the index serves as before",
                details={"doc_id": printable(outcome.id)},
            )


def _batches(scanned: Iterator[list[Document]]) -> Iterator[list[Document]]:
    """Regroup scanned documents into small batches, so that a batch never blocks other writers for long."""
    batch: list[Document] = []
    size = 0
    for document in (document for documents in scanned for document in documents):
        length = len(document.text.encode()) + len(document.payload)
        if batch and (len(batch) >= _MAX_BATCH_DOCUMENTS or size + length > _MAX_BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(document)
        size += length
    if batch:
        yield batch
