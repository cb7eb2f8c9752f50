"""The tantivy schema, and opening an index, which must register its analyzers each time."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from tantivy import Index, Schema, SchemaBuilder

from indexer.engines.analyzers import Stem, build_analyzer, build_range_analyzer, stemmer
from indexer.schema.definition import IndexDefinition

ID: Final = "id"
"""Encoded by `documents.encode_term`, so that an id can be a range bound in tantivy's query language."""
REVISION: Final = "revision"
TEXT: Final = "text"
"""Stemmed, and stored: the only stored copy of a document's text."""
EXACT: Final = "exact"
"""The same text unstemmed, for phrases, prefixes and fuzzy words."""
TERMS: Final = "kv"
KEYS: Final = "keys"
RANGES: Final = "ranges"
"""Range codes, analysed into their beginnings."""
PAYLOAD: Final = "payload"
FACTS: Final = "facts"
"""Stored JSON of terms, keys and sortable values, which scans and sorting read back."""
_RAW: Final = "raw"
_WITHOUT_POSITIONS: Final = "basic"
_MAX_ATTEMPTS: Final = 5

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class IndexHandle:
    """An open tantivy index with its schema, stemmer and definition."""

    index: Index
    schema: Schema
    stem: Stem
    definition: IndexDefinition


def open_or_create_index(definition: IndexDefinition, path: Path | None) -> IndexHandle:
    """Open the index in this folder, or create it if the folder is empty; without a folder, create it in memory."""
    schema = _build_schema(definition)
    index = retry_interrupted(lambda: Index(schema, path=None if path is None else str(path)))
    index.register_tokenizer(EXACT, build_analyzer(definition.analysis, stemmed=False))
    index.register_tokenizer(TEXT, build_analyzer(definition.analysis, stemmed=True))
    if definition.range_codes:
        index.register_tokenizer(RANGES, build_range_analyzer())
    retry_interrupted(lambda: index.config_reader("manual"))
    return IndexHandle(index, index.schema, stemmer(definition.analysis), definition)


def retry_interrupted(read: Callable[[], Result]) -> Result:
    """Read an index's list of files, with retries: a signal interrupts tantivy's wait for the lock on that list."""
    for _ in range(_MAX_ATTEMPTS - 1):
        with suppress(ValueError):
            return read()
    return read()


def sort_field(field: str) -> str:
    """Return the name of a declared field's sort field. Hex, because tantivy restricts field names."""
    return f"sort_{field.encode().hex()}"


def _build_schema(definition: IndexDefinition) -> Schema:
    builder = SchemaBuilder()
    builder.add_text_field(ID, stored=True, fast=True, tokenizer_name=_RAW, index_option=_WITHOUT_POSITIONS)
    builder.add_unsigned_field(REVISION, stored=True, fast=True)
    builder.add_text_field(TEXT, stored=True, tokenizer_name=TEXT)
    builder.add_text_field(EXACT, tokenizer_name=EXACT)
    builder.add_text_field(TERMS, tokenizer_name=_RAW, index_option=_WITHOUT_POSITIONS)
    builder.add_text_field(KEYS, tokenizer_name=_RAW, index_option=_WITHOUT_POSITIONS)
    if definition.range_codes:
        builder.add_text_field(RANGES, tokenizer_name=RANGES, index_option=_WITHOUT_POSITIONS)
    builder.add_bytes_field(PAYLOAD, stored=True)
    builder.add_bytes_field(FACTS, stored=True)
    for field, kind in sorted(definition.sortable.items()):
        match kind:
            case "string":
                name = sort_field(field)
                builder.add_text_field(name, fast=True, tokenizer_name=_RAW, index_option=_WITHOUT_POSITIONS)
            case "number":
                builder.add_float_field(sort_field(field), fast=True)
            case "date" | "boolean":
                builder.add_integer_field(sort_field(field), fast=True)
    return builder.build()
