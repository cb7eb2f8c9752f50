"""The engines without us: the same documents into an index of the same mapping, by the client's own helper."""

import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opensearchpy import OpenSearch, helpers

from indexer.engines.opensearch.connection import Connection
from indexer.engines.opensearch.documents import source_of
from indexer.engines.opensearch.mappings import index_body
from indexer.engines.port import Document
from indexer.engines.tantivy.documents import build_document, encode_term
from indexer.engines.tantivy.schema import ID, open_or_create_index
from indexer.local.mapping import stored_document
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import DocumentId

_HEAP_BYTES = 50_000_000


@dataclass(frozen=True)
class Given:
    """A document as a caller gives it."""

    id: str
    content: str
    metadata: Mapping[str, Any]


class _Prepared:
    """Documents as we make them of what is given, each text only once: making them costs the engine nothing."""

    def __init__(self, definition: IndexDefinition) -> None:
        self._definition = definition
        self._known: dict[str, tuple[Document, dict[str, Any]]] = {}

    def document(self, given: Given) -> Document:
        return self._prepared(given)[0]

    def source(self, given: Given) -> dict[str, Any]:
        return {**self._prepared(given)[1], "id": given.id}

    def _prepared(self, given: Given) -> tuple[Document, dict[str, Any]]:
        if given.content not in self._known:
            document = stored_document(self._definition, DocumentId("any"), 1, given.content, given.metadata)
            self._known[given.content] = document, source_of(document, self._definition)
        return self._known[given.content]


class RawBulk:
    """`helpers.bulk` into an index with our settings and mapping, with or without a refresh at each call."""

    def __init__(self, url: str, definition: IndexDefinition, *, refresh: bool = False) -> None:
        self._client = OpenSearch(hosts=[url], timeout=120)
        self._index = f"bench-{secrets.token_hex(4)}"
        self._refresh = refresh
        self._prepared = _Prepared(definition)
        self._client.indices.create(index=self._index, body=index_body(definition, Connection((url,))))

    def write(self, given: Sequence[Given]) -> None:
        actions = ({"_index": self._index, "_id": one.id, "_source": self._prepared.source(one)} for one in given)
        helpers.bulk(self._client, actions, chunk_size=len(given), refresh=self._refresh)

    def close(self) -> None:
        self._client.indices.delete(index=self._index)
        self._client.close()


class RawTantivyWriter:
    """One writer that stays open, and one commit for each call; a document replaces the one of the same ID."""

    def __init__(self, folder: Path, definition: IndexDefinition) -> None:
        folder.mkdir()
        self._definition = definition
        self._prepared = _Prepared(definition)
        self._index = open_or_create_index(definition, folder).index
        self._writer = self._index.writer(_HEAP_BYTES, 1)
        self._lock = threading.Lock()

    def write(self, given: Sequence[Given]) -> None:
        with self._lock:
            for one in given:
                self._writer.delete_documents_by_term(ID, encode_term(one.id))
                self._writer.add_document(build_document(self._document(one), self._definition))
            self._writer.commit()
        self._index.reload()

    def _document(self, given: Given) -> Document:
        known = self._prepared.document(given)
        return Document(DocumentId(given.id), 1, known.text, known.payload, known.terms, known.keys, known.sortable)
