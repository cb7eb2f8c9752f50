"""Maps a local document of a user to the document that an engine stores: limits, NFC, terms."""

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
from indexer.schema.metadata_terms import indexed_values, keys_of, terms_of
from indexer.schema.sortable import sortable_values
from indexer.tenancy import DocumentId
from indexer.text.clean import clean_text
from indexer.text.fields import text_of

MAX_CONTENT_BYTES: Final = 10 * 1024 * 1024
_MAX_METADATA_BYTES: Final = 1024 * 1024
_MAX_VALUES: Final = 1_000
_MAX_DEPTH: Final = 64
_TITLE_FIELDS: Final = ("title", "name")
_MAYBE_OVER_64_BITS: Final = re.compile(rb"\d{19}")


def stored_document(
    definition: IndexDefinition,
    document_id: DocumentId,
    revision: int,
    content: str,
    metadata: Mapping[str, Any],
) -> Document:
    """Check a local document and build the document that an engine stores."""
    text = _check_content(content)
    payload = _encode_metadata(metadata)
    _check_value_count(metadata)
    return Document(
        id=document_id,
        revision=revision,
        text=text,
        payload=payload,
        terms=terms_of(metadata),
        keys=keys_of(metadata),
        sortable=sortable_values(definition, metadata),
    )


def _check_content(content: str) -> str:
    if not content.strip():
        raise Invalid("Content must be a non-empty string", action="Give the text to index as content")
    if len(content) > MAX_CONTENT_BYTES or _size_in_bytes(content) > MAX_CONTENT_BYTES:
        raise Invalid("Content is larger than 10 MB", action="Split the text into several documents")
    text = normalize("NFC", content)
    if _size_in_bytes(text) > MAX_CONTENT_BYTES:
        raise Invalid("Content is larger than 10 MB", action="Split the text into several documents")
    return text


def _size_in_bytes(content: str) -> int:
    try:
        return len(content.encode())
    except UnicodeEncodeError as error:
        raise Invalid(
            "Content holds half of a character (a lone surrogate)", action="Send the text as valid UTF-8"
        ) from error


def _encode_metadata(metadata: Mapping[str, Any]) -> bytes:
    if not _is_nested_at_most(metadata, _MAX_DEPTH):
        raise Invalid("Metadata is nested too deeply", action=f"Nest metadata at most {_MAX_DEPTH} levels deep")
    try:
        payload = _to_json(dict(metadata))
        orjson.loads(payload)
    except (TypeError, ValueError) as error:
        raise Invalid(
            "Metadata is not valid JSON", action="Use objects, lists, strings of valid UTF-8, numbers, booleans, null"
        ) from error
    if len(payload) > _MAX_METADATA_BYTES:
        raise Invalid("Metadata is larger than 1 MB", action="Put long texts into content")
    return payload


def _to_json(metadata: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(metadata)
    except TypeError:
        # orjson rejects integers of more than 64 bits, which are valid JSON.
        return json.dumps(metadata, ensure_ascii=False, allow_nan=False).encode()


def remap_document(document: Document, definition: IndexDefinition) -> Document:
    """Rebuild a stored document's terms, keys and sortable values from its payload."""
    metadata = metadata_of(document.payload)
    return replace(
        document,
        terms=terms_of(metadata),
        keys=keys_of(metadata),
        sortable=sortable_values(definition, metadata),
    )


def metadata_of(payload: bytes) -> dict[str, Any]:
    """Return the metadata of a stored document."""
    # orjson would round integers of more than 64 bits.
    loads = json.loads if _MAYBE_OVER_64_BITS.search(payload) else orjson.loads
    metadata: dict[str, Any] = loads(payload)
    return metadata


def stated_title(metadata: Mapping[str, Any]) -> str | None:
    """Return the title that metadata gives, as one line; names of fields are case-insensitive."""
    title = text_of(metadata, _TITLE_FIELDS)
    return None if title is None else " ".join(clean_text(title).split())


def _is_nested_at_most(value: object, levels: int) -> bool:
    if not isinstance(value, Mapping | list | tuple):
        return True
    inner = value.values() if isinstance(value, Mapping) else value
    return levels > 0 and all(_is_nested_at_most(each, levels - 1) for each in inner)


def _check_value_count(metadata: Mapping[str, Any]) -> None:
    if sum(1 for _ in indexed_values(metadata)) > _MAX_VALUES:
        raise Invalid(
            "Metadata has too many values to filter by",
            action=f"Give at most {_MAX_VALUES} values in all lists; objects inside objects are stored and not counted",
        )
