"""A document as the cluster keeps it, and back; the revision is OpenSearch's own version of it."""

from collections.abc import Mapping
from typing import Any, Final

from indexer.engines.opensearch.failures import failure_for
from indexer.engines.opensearch.mappings import sort_field
from indexer.engines.port import Document
from indexer.schema.definition import IndexDefinition
from indexer.schema.values import Scalar
from indexer.tenancy import DocumentId

_LONGEST_SORTED: Final = 1_000
"""Characters of a string that a sort looks at; a keyword may have at most 32,766 bytes."""


def source_of(document: Document, definition: IndexDefinition) -> dict[str, Any]:
    """Return what is sent for this document."""
    payload = document.payload.decode()
    source: dict[str, Any] = {
        "id": document.id,
        "text": document.text,
        "payload": payload,
        "kv": document.terms,
        "keys": document.keys,
        "size": len(document.text) + len(payload),
    }
    for field, value in document.sortable.items():
        if field in definition.sortable:
            source[sort_field(field)] = _sortable(value, definition.sortable[field] == "date")
    return source


def document_of(item: Mapping[str, Any], definition: IndexDefinition) -> Document:
    """Return the document that a hit or a `_mget` item holds; what was not fetched is empty."""
    source = item.get("_source", {})
    sortable: dict[str, Scalar] = {}
    for field, kind in definition.sortable.items():
        value = source.get(sort_field(field))
        if value is not None:
            sortable[field] = bool(value) if kind == "boolean" else value if kind == "string" else float(value)
    return Document(
        id=DocumentId(item["_id"]),
        revision=item["_version"],
        text=source.get("text", ""),
        payload=source.get("payload", "").encode(),
        terms=tuple(source.get("kv", ())),
        keys=tuple(source.get("keys", ())),
        sortable=sortable,
    )


def asked_for(*, text: bool) -> str:
    """Return which parts of a document a `_mget` fetches."""
    return "payload,text" if text else "payload"


def documents_of(answer: Mapping[str, Any], definition: IndexDefinition) -> list[Document | None]:
    """Return what a `_mget` found; a shard that could not answer is a failure, not an absent document."""
    for item in answer["docs"]:
        if "error" in item:
            raise failure_for(503, item)
    return [document_of(item, definition) if item["found"] else None for item in answer["docs"]]


def _sortable(value: Scalar, date: bool) -> Scalar:
    if isinstance(value, str):
        return value[:_LONGEST_SORTED]
    return int(value) if date or isinstance(value, bool) else value
