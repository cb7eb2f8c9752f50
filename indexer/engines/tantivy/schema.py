"""What an index looks like on disk: its fields, and the analyzers that every opening must register anew."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, TypeVar

from tantivy import Filter, Index, Schema, SchemaBuilder, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

from indexer.schema.analysis import LONGEST_TOKEN, token_pattern
from indexer.schema.definition import Analysis, IndexDefinition
from indexer.schema.languages import NO_LANGUAGE

ID: Final = "id"
"""Encoded (`documents.py`), so that an id can be the bound of a range in tantivy's query language."""
REVISION: Final = "revision"
TEXT: Final = "text"
"""Stemmed, and stored: the one copy of a document's text."""
EXACT: Final = "exact"
TERMS: Final = "kv"
KEYS: Final = "keys"
PAYLOAD: Final = "payload"
FACTS: Final = "facts"
"""Stored JSON of terms, keys and sortable values, for scans and for sorting by undeclared fields."""
_RAW: Final = "raw"
_WITHOUT_POSITIONS: Final = "basic"
_KNOWN_STEMS: Final = 100_000
_TRIES: Final = 5

Answer = TypeVar("Answer")

Stem = Callable[[str], str | None]
"""From a token to its form in the stemmed field; None for what is never indexed."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What compiling a query needs to know of an index."""

    index: Index
    schema: Schema
    stem: Stem
    definition: IndexDefinition


def open_or_create_index(definition: IndexDefinition, path: Path | None) -> Dialect:
    """Open the index in this folder, or make it in an empty one; without a folder, make one in memory."""
    schema = _schema(definition)
    index = retry_interrupted(lambda: Index(schema, path=None if path is None else str(path)))
    analyzers = _analyzers(definition.analysis)
    index.register_tokenizer(EXACT, analyzers.exact)
    index.register_tokenizer(TEXT, analyzers.stemmed)
    retry_interrupted(lambda: index.config_reader("manual"))
    return Dialect(index, index.schema, analyzers.stem, definition)


def retry_interrupted(read: Callable[[], Answer]) -> Answer:
    """Read an index's list of files, again if need be: a signal breaks off tantivy's wait for the lock on that list."""
    for _ in range(_TRIES - 1):
        with suppress(ValueError):
            return read()
    return read()


def sort_field(field: str) -> str:
    """Return the name of a declared field's values; in hex, since tantivy allows only some characters."""
    return f"sort_{field.encode().hex()}"


@dataclass(frozen=True, slots=True)
class _Analyzers:
    exact: TextAnalyzer
    stemmed: TextAnalyzer
    stem: Stem


@cache
def _analyzers(analysis: Analysis) -> _Analyzers:
    stemmed = _analyzer(analysis, stemmed=True)

    @lru_cache(_KNOWN_STEMS)
    def stem(token: str) -> str | None:
        found = stemmed.analyze(token)
        return found[0] if len(found) == 1 else None

    return _Analyzers(_analyzer(analysis, stemmed=False), stemmed, stem)


def _analyzer(analysis: Analysis, *, stemmed: bool) -> TextAnalyzer:
    builder = TextAnalyzerBuilder(Tokenizer.regex(token_pattern(analysis)))
    builder = builder.filter(Filter.remove_long(LONGEST_TOKEN + 1))  # tantivy keeps what is shorter than its limit
    if analysis.lowercase:
        builder = builder.filter(Filter.lowercase())
    if stemmed and analysis.language != NO_LANGUAGE:
        builder = builder.filter(Filter.stemmer(analysis.language))
    return builder.build()


def _schema(definition: IndexDefinition) -> Schema:
    builder = SchemaBuilder()
    builder.add_text_field(ID, stored=True, fast=True, tokenizer_name=_RAW, index_option=_WITHOUT_POSITIONS)
    builder.add_unsigned_field(REVISION, stored=True, fast=True)
    builder.add_text_field(TEXT, stored=True, tokenizer_name=TEXT)
    builder.add_text_field(EXACT, tokenizer_name=EXACT)
    builder.add_text_field(TERMS, tokenizer_name=_RAW, index_option=_WITHOUT_POSITIONS)
    builder.add_text_field(KEYS, tokenizer_name=_RAW, index_option=_WITHOUT_POSITIONS)
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
