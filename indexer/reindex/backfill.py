"""Filling a shadow from the index that serves, while others write to both."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from indexer.engines.port import Document
from indexer.errors import Invalid, shown
from indexer.index.deletion_log import logged_deletions
from indexer.reindex.session import RebuildSession

MOST_DOCUMENTS: Final = 500
MOST_BYTES: Final = 5_000_000


def copy_documents(session: RebuildSession, copied: Callable[[float], None]) -> None:
    """Write what the old index holds now into the shadow; `copied` is told, after each batch, which part is done."""
    writer = session.store.engine.writer
    # Only after the shadow was registered: what a writer did not write to it is in the old index by now.
    writer.refresh(session.old)
    total = writer.count(session.old)
    done = 0
    for batch in _batches(writer.scan(session.old, text=True)):
        write_to_shadow(session, batch)
        done += len(batch)
        copied(min(1.0, done / max(1, total)))


def replay_deletions(session: RebuildSession) -> None:
    """Delete from the shadow what was deleted since it was read from the old index; all copying must be over."""
    store = session.store
    deletions = logged_deletions(store.engine.records, session.team, session.index)
    for start in range(0, len(deletions), MOST_DOCUMENTS):
        store.engine.writer.delete(session.shadow, deletions[start : start + MOST_DOCUMENTS])


def write_to_shadow(session: RebuildSession, documents: Sequence[Document]) -> None:
    """Write with the documents' own revisions: what is superseded was written again meanwhile."""
    definition = session.shadow.definition
    remap = session.store.remap[definition.kind]
    renewed = [remap(document, definition) for document in documents]
    for outcome in session.store.engine.writer.write(session.shadow, renewed):
        if outcome.status == "failed":
            raise Invalid(
                f"A document of {session.index} cannot be taken over: {outcome.reason}",
                action="Delete or replace this document, then start the rebuild again; the index serves as before",
                details={"doc_id": shown(outcome.id)},
            )


def _batches(scanned: Iterator[list[Document]]) -> Iterator[list[Document]]:
    """Regroup what is scanned, so that writers never wait long for their turn at the shadow."""
    batch: list[Document] = []
    size = 0
    for document in (document for some in scanned for document in some):
        length = len(document.text.encode()) + len(document.payload)
        if batch and (len(batch) >= MOST_DOCUMENTS or size + length > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(document)
        size += length
    if batch:
        yield batch
