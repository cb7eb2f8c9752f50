"""Reads by id and full scans, blocking; shared by the reader and the writer."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tantivy import DocAddress, Query, Schema, Searcher

from indexer.engines.port import Document
from indexer.engines.tantivy.documents import (
    encode_term,
    full_document,
    identity_of,
    partial_document,
    revision_of,
)
from indexer.engines.tantivy.schema import ID, REVISION
from indexer.tenancy import DocumentId

_BATCH_SIZE: Final = 500
_BATCH_CHARACTERS: Final = 8_000_000
_PAGE_SIZE: Final = 20 * _BATCH_SIZE


def get_documents(
    schema: Schema, searcher: Searcher, ids: Sequence[DocumentId], *, text: bool
) -> list[Document | None]:
    """Return each document in the order of `ids`, without terms, keys and sortable values."""
    addresses = [_address(schema, searcher, identity) for identity in ids]
    return [None if address is None else partial_document(searcher.doc(address), text=text) for address in addresses]


def get_revisions(schema: Schema, searcher: Searcher, ids: Sequence[DocumentId]) -> dict[DocumentId, int]:
    """Return the revisions of those documents that exist."""
    found = ((identity, get_revision(schema, searcher, identity)) for identity in ids)
    return {identity: revision for identity, revision in found if revision is not None}


def get_revision(schema: Schema, searcher: Searcher, identity: DocumentId) -> int | None:
    """Return the revision of a document; None if it does not exist."""
    address = _address(schema, searcher, identity)
    if address is None:
        return None
    (value,) = searcher.fast_field_values(REVISION, [address])
    return None if value is None else int(value)


def scan_documents(searcher: Searcher, *, text: bool) -> Iterator[list[Document]]:
    """Yield all documents of the searcher's snapshot in batches; with `text=False` only ids and revisions."""
    for offset in range(0, searcher.num_docs, _PAGE_SIZE):
        limit = min(_PAGE_SIZE, searcher.num_docs - offset)
        hits = searcher.search(Query.all_query(), limit=limit, offset=offset, count=False).hits
        yield from _batches(_read(searcher, address, text=text) for _, address in hits)


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    batch: list[Document] = []
    characters = 0
    for document in documents:
        batch.append(document)
        characters += len(document.text)
        if len(batch) == _BATCH_SIZE or characters > _BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _read(searcher: Searcher, address: DocAddress, *, text: bool) -> Document:
    stored = searcher.doc(address)
    if text:
        return full_document(stored)
    return Document(id=identity_of(stored), revision=revision_of(stored), text="", payload=b"")


def _address(schema: Schema, searcher: Searcher, identity: DocumentId) -> DocAddress | None:
    query = Query.term_query(schema, ID, encode_term(identity), "basic")
    hits = searcher.search(query, limit=1, count=False).hits
    return hits[0][1] if hits else None
