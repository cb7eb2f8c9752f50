"""Getting documents by id and scanning them all, blocking; the reader and the writer share it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tantivy import DocAddress, Query, Schema, Searcher

from indexer.engines.port import Document
from indexer.engines.tantivy.documents import (
    brief_document,
    encoded,
    identity_of,
    revision_of,
    whole_document,
)
from indexer.engines.tantivy.schema import ID, REVISION
from indexer.tenancy import DocumentId

_BATCH: Final = 500
_BATCH_CHARACTERS: Final = 8_000_000
_ADDRESSES: Final = 20 * _BATCH


def documents(schema: Schema, searcher: Searcher, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
    """Return each document, in the order asked, without terms, keys and sortable values."""
    addresses = [_address(schema, searcher, identity) for identity in ids]
    return [None if address is None else brief_document(searcher.doc(address), text=text) for address in addresses]


def revision(schema: Schema, searcher: Searcher, identity: DocumentId) -> int | None:
    """Return the revision of a document, None if there is none."""
    address = _address(schema, searcher, identity)
    if address is None:
        return None
    (found,) = searcher.fast_field_values(REVISION, [address])
    return None if found is None else int(found)


def scanned(searcher: Searcher, *, text: bool) -> Iterator[list[Document]]:
    """Yield all documents of this state of the index, in batches; without text: ids and revisions only."""
    for offset in range(0, searcher.num_docs, _ADDRESSES):
        limit = min(_ADDRESSES, searcher.num_docs - offset)
        hits = searcher.search(Query.all_query(), limit=limit, offset=offset, count=False).hits
        yield from _batches(_scanned(searcher, address, text=text) for _, address in hits)


def _batches(found: Iterable[Document]) -> Iterator[list[Document]]:
    batch: list[Document] = []
    characters = 0
    for document in found:
        batch.append(document)
        characters += len(document.text)
        if len(batch) == _BATCH or characters > _BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _scanned(searcher: Searcher, address: DocAddress, *, text: bool) -> Document:
    stored = searcher.doc(address)
    if text:
        return whole_document(stored)
    return Document(id=identity_of(stored), revision=revision_of(stored), text="", payload=b"")


def _address(schema: Schema, searcher: Searcher, identity: DocumentId) -> DocAddress | None:
    query = Query.term_query(schema, ID, encoded(identity), "basic")
    hits = searcher.search(query, limit=1, count=False).hits
    return hits[0][1] if hits else None
