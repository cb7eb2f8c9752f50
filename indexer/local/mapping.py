"""From what a user gives to what an engine keeps, for local documents: limits, normal form, terms."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from unicodedata import normalize

import orjson

from indexer.engines.port import Document
from indexer.errors import Invalid
from indexer.schema.definition import IndexDefinition
from indexer.schema.metadata_terms import indexed, keys_of, terms_of
from indexer.schema.sortable import sortable_values
from indexer.tenancy import DocumentId

LARGEST_CONTENT: Final = 10 * 1024 * 1024
LARGEST_METADATA: Final = 1024 * 1024
MOST_VALUES: Final = 1_000
_DEEPEST: Final = 64
_LONG_NUMBER: Final = re.compile(rb"\d{19}")


def stored_document(
    definition: IndexDefinition,
    document_id: DocumentId,
    revision: int,
    content: str,
    metadata: Mapping[str, Any],
) -> Document:
    """Check a local document and make what engines keep of it."""
    text = _text(content)
    payload = _payload(metadata)
    _check_values(metadata)
    return Document(
        id=document_id,
        revision=revision,
        text=text,
        payload=payload,
        terms=terms_of(metadata),
        keys=keys_of(metadata),
        sortable=sortable_values(definition, metadata),
    )


def _text(content: str) -> str:
    if not content.strip():
        raise Invalid("Content must be a non-empty string", action="Give the text to index as content")
    if len(content) > LARGEST_CONTENT or _size(content) > LARGEST_CONTENT:
        raise Invalid("Content is larger than 10 MB", action="Split the text into several documents")
    text = normalize("NFC", content)
    if _size(text) > LARGEST_CONTENT:
        raise Invalid("Content is larger than 10 MB", action="Split the text into several documents")
    return text


def _size(content: str) -> int:
    try:
        return len(content.encode())
    except UnicodeEncodeError as error:
        raise Invalid(
            "Content holds half of a character (a lone surrogate)", action="Send the text as valid UTF-8"
        ) from error


def _payload(metadata: Mapping[str, Any]) -> bytes:
    if not _shallow(metadata, _DEEPEST):
        raise Invalid("Metadata is nested too deeply", action=f"Nest metadata at most {_DEEPEST} levels deep")
    try:
        payload = _json(dict(metadata))
        orjson.loads(payload)
    except (TypeError, ValueError) as error:
        raise Invalid(
            "Metadata is not valid JSON", action="Use objects, lists, strings of valid UTF-8, numbers, booleans, null"
        ) from error
    if len(payload) > LARGEST_METADATA:
        raise Invalid("Metadata is larger than 1 MB", action="Put long texts into content")
    return payload


def _json(metadata: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(metadata)
    except TypeError:
        # whole numbers of more than 64 bits are JSON too
        return json.dumps(metadata, ensure_ascii=False, allow_nan=False).encode()


def remapped_document(document: Document, definition: IndexDefinition) -> Document:
    """Make a stored document's terms, keys and sortable values anew, from what is stored."""
    metadata = metadata_of(document.payload)
    return replace(
        document,
        terms=terms_of(metadata),
        keys=keys_of(metadata),
        sortable=sortable_values(definition, metadata),
    )


def metadata_of(payload: bytes) -> dict[str, Any]:
    """Return the metadata that a document was given."""
    # the faster one would round whole numbers of more than 64 bits
    loads = json.loads if _LONG_NUMBER.search(payload) else orjson.loads
    metadata: dict[str, Any] = loads(payload)
    return metadata


def _shallow(value: object, levels: int) -> bool:
    if not isinstance(value, Mapping | list | tuple):
        return True
    inner = value.values() if isinstance(value, Mapping) else value
    return levels > 0 and all(_shallow(each, levels - 1) for each in inner)


def _check_values(metadata: Mapping[str, Any]) -> None:
    if sum(1 for _ in indexed(metadata)) > MOST_VALUES:
        raise Invalid(
            "Metadata has too many values to filter by",
            action=f"Give at most {MOST_VALUES} values in all lists; objects inside objects are stored and not counted",
        )
