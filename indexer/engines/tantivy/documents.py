"""Converts documents to tantivy documents and back."""

from typing import Any, Final

import orjson
import tantivy

from indexer.engines.port import Document
from indexer.engines.tantivy.schema import EXACT, FACTS, ID, KEYS, PAYLOAD, RANGES, REVISION, TERMS, TEXT, sort_field
from indexer.schema.definition import IndexDefinition, SortType
from indexer.schema.range_codes import range_codes
from indexer.schema.values import Scalar
from indexer.tenancy import DocumentId

_MAX_SORT_LENGTH: Final = 1_000
"""Characters of a string that sorting compares."""

SortValue = str | float | int


def encode_term(text: str) -> str:
    """Encode a string for an exact field: never empty, safe in tantivy's query language, same sort order."""
    return f"x{text.encode().hex()}"


def decode_term(term: str) -> str:
    """Return the string that `encode_term` encoded."""
    return bytes.fromhex(term[1:]).decode()


def build_document(document: Document, definition: IndexDefinition) -> tantivy.Document:
    """Build the tantivy document. Raises ValueError, OverflowError or TypeError if the index cannot hold it."""
    stored = tantivy.Document()
    stored.add_text(ID, encode_term(document.id))
    stored.add_unsigned(REVISION, document.revision)
    stored.add_text(TEXT, document.text)
    stored.add_text(EXACT, document.text)
    stored.add_bytes(PAYLOAD, document.payload)
    for term in document.terms:
        stored.add_text(TERMS, term)
    for key in document.keys:
        stored.add_text(KEYS, key)
    if definition.range_codes:
        for code in range_codes(document.terms):
            stored.add_text(RANGES, code)
    declared = {name: value for name, value in document.sortable.items() if name in definition.sortable}
    for name, value in declared.items():
        _add_sort_value(stored, sort_field(name), definition.sortable[name], value)
    stored.add_bytes(FACTS, orjson.dumps((document.terms, document.keys, declared)))
    return stored


def sort_value(value: Scalar, kind: SortType) -> SortValue:
    """Return a declared field's value in the form that sorting compares and positions contain."""
    if kind == "string":
        return str(value)[:_MAX_SORT_LENGTH]
    return float(value) + 0.0 if kind == "number" else int(value)


def identity_of(stored: tantivy.Document) -> DocumentId:
    """Return the id of a stored document."""
    return DocumentId(decode_term(_first(stored, ID)))


def revision_of(stored: tantivy.Document) -> int:
    """Return the revision of a stored document."""
    revision: int = _first(stored, REVISION)
    return revision


def text_of(stored: tantivy.Document) -> str:
    """Return the text of a stored document."""
    text: str = _first(stored, TEXT)
    return text


def payload_of(stored: tantivy.Document) -> bytes:
    """Return the payload of a stored document."""
    return bytes(_first(stored, PAYLOAD))


def facts_of(stored: tantivy.Document) -> tuple[tuple[str, ...], tuple[str, ...], dict[str, Scalar]]:
    """Return the terms, keys and sortable values of a stored document."""
    terms, keys, sortable = orjson.loads(bytes(_first(stored, FACTS)))
    return tuple(terms), tuple(keys), sortable


def partial_document(stored: tantivy.Document, *, text: bool) -> Document:
    """Return the document without terms, keys and sortable values."""
    return Document(
        id=identity_of(stored),
        revision=revision_of(stored),
        text=text_of(stored) if text else "",
        payload=payload_of(stored),
    )


def full_document(stored: tantivy.Document) -> Document:
    """Return the document as it was written."""
    terms, keys, sortable = facts_of(stored)
    return Document(
        id=identity_of(stored),
        revision=revision_of(stored),
        text=text_of(stored),
        payload=payload_of(stored),
        terms=terms,
        keys=keys,
        sortable=sortable,
    )


def _first(stored: tantivy.Document, field: str) -> Any:
    return stored.get_first(field)


def _add_sort_value(stored: tantivy.Document, field: str, kind: SortType, value: Scalar) -> None:
    compared = sort_value(value, kind)
    if isinstance(compared, str):
        stored.add_text(field, encode_term(compared))
    elif isinstance(compared, int):
        stored.add_integer(field, compared)
    else:
        stored.add_float(field, compared)
