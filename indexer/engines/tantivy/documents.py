"""A document as tantivy keeps it, and back."""

from typing import Any, Final

import orjson
import tantivy

from indexer.engines.port import Document
from indexer.engines.tantivy.schema import EXACT, FACTS, ID, KEYS, PAYLOAD, REVISION, TERMS, TEXT, sort_field
from indexer.schema.definition import IndexDefinition, SortType
from indexer.schema.values import Scalar
from indexer.tenancy import DocumentId

_LONGEST_SORTED: Final = 1_000
"""Characters of a string that a sort looks at."""

SortValue = str | float | int


def encoded(text: str) -> str:
    """Return a string as exact fields hold it: never empty, safe in tantivy's query language, in the same order."""
    return f"x{text.encode().hex()}"


def decoded(term: str) -> str:
    """Return the string that was encoded."""
    return bytes.fromhex(term[1:]).decode()


def indexed(document: Document, definition: IndexDefinition) -> tantivy.Document:
    """Return what is added to the index; ValueError, OverflowError or TypeError where it cannot be held."""
    added = tantivy.Document()
    added.add_text(ID, encoded(document.id))
    added.add_unsigned(REVISION, document.revision)
    added.add_text(TEXT, document.text)
    added.add_text(EXACT, document.text)
    added.add_bytes(PAYLOAD, document.payload)
    for term in document.terms:
        added.add_text(TERMS, term)
    for key in document.keys:
        added.add_text(KEYS, key)
    declared = {name: value for name, value in document.sortable.items() if name in definition.sortable}
    for name, value in declared.items():
        _add_sorted(added, sort_field(name), definition.sortable[name], value)
    added.add_bytes(FACTS, orjson.dumps((document.terms, document.keys, declared)))
    return added


def sort_value(value: Scalar, kind: SortType) -> SortValue:
    """Return a declared field's value as it is sorted by and as it stands in positions."""
    if kind == "string":
        return str(value)[:_LONGEST_SORTED]
    return float(value) + 0.0 if kind == "number" else int(value)


def identity_of(stored: tantivy.Document) -> DocumentId:
    """Return the id of a stored document."""
    return DocumentId(decoded(_first(stored, ID)))


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


def brief_document(stored: tantivy.Document, *, text: bool) -> Document:
    """Return the document without terms, keys and sortable values."""
    return Document(
        id=identity_of(stored),
        revision=revision_of(stored),
        text=text_of(stored) if text else "",
        payload=payload_of(stored),
    )


def whole_document(stored: tantivy.Document) -> Document:
    """Return everything that was written."""
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


def _add_sorted(added: tantivy.Document, field: str, kind: SortType, value: Scalar) -> None:
    sorted_by = sort_value(value, kind)
    if isinstance(sorted_by, str):
        added.add_text(field, encoded(sorted_by))
    elif isinstance(sorted_by, int):
        added.add_integer(field, sorted_by)
    else:
        added.add_float(field, sorted_by)
