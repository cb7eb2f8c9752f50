"""Converts documents to `_source` and back. The revision is stored as OpenSearch's external `_version`."""

from collections.abc import Mapping
from typing import Any, Final

from indexer.engines.opensearch.failures import failure_of_response
from indexer.engines.opensearch.mappings import sort_field
from indexer.engines.port import Document
from indexer.schema.definition import IndexDefinition
from indexer.schema.range_codes import range_codes
from indexer.schema.values import Scalar
from indexer.tenancy import DocumentId

_MAX_SORT_LENGTH: Final = 1_000
"""Characters of a string that sorting compares; OpenSearch limits a keyword to 32,766 bytes."""


def source_of(document: Document, definition: IndexDefinition) -> dict[str, Any]:
    """Return the `_source` to index for this document."""
    payload = document.payload.decode()
    source: dict[str, Any] = {
        "id": document.id,
        "text": document.text,
        "payload": payload,
        "kv": document.terms,
        "keys": document.keys,
        "size": len(document.text) + len(payload),
    }
    if definition.range_codes:
        source["ranges"] = list(range_codes(document.terms))
    for field, value in document.sortable.items():
        if field in definition.sortable:
            source[sort_field(field)] = _sort_value(value, definition.sortable[field] == "date")
    return source


def document_of(item: Mapping[str, Any], definition: IndexDefinition) -> Document:
    """Return the document in a hit or an `_mget` item. Parts that were not fetched are empty."""
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


def source_fields(*, text: bool) -> str:
    """Return the `_source` parameter of an `_mget`."""
    return "payload,text" if text else "payload"


def documents_of(response: Mapping[str, Any], definition: IndexDefinition) -> list[Document | None]:
    """Return the documents of an `_mget` response. A shard error raises, it does not mean an absent document."""
    for item in response["docs"]:
        if "error" in item:
            raise failure_of_response(503, item)
    return [document_of(item, definition) if item["found"] else None for item in response["docs"]]


def _sort_value(value: Scalar, is_date: bool) -> Scalar:
    if isinstance(value, str):
        return value[:_MAX_SORT_LENGTH]
    return int(value) if is_date or isinstance(value, bool) else value
