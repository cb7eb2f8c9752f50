"""Index settings, analyzers, mappings and templates."""

from typing import Any, Final

from indexer.engines.opensearch.connection import Connection
from indexer.schema.analysis import LONGEST_TOKEN, LOWERED_SPECIALLY, simple_pattern
from indexer.schema.definition import Analysis, IndexDefinition, SortType
from indexer.schema.languages import NO_LANGUAGE, SNOWBALL, overrides

Body = dict[str, Any]

_KEYWORD: Final[Body] = {"type": "keyword"}
_UNINDEXED: Final[Body] = {"type": "object", "enabled": False}
"""Kept in `_source` only, never parsed or indexed."""
_SORTABLE: Final[dict[SortType, Body]] = {
    "string": {"type": "keyword", "index": False},
    "number": {"type": "double", "index": False},
    "date": {"type": "long", "index": False},
    "boolean": {"type": "byte", "index": False},
}
_TEMPLATE_PRIORITY: Final = 5_000
"""High, so that no template of another user of the cluster applies to our indices."""
_MAX_ANALYZED_CHARACTERS: Final = 20_000_000


def index_body(definition: IndexDefinition, connection: Connection) -> Body:
    """Return the body that creates a physical index of this definition."""
    settings = {**_layout(connection), "analysis": _analysis(definition.analysis)}
    settings["similarity"] = {"default": {"type": "BM25", "k1": 1.2, "b": 0.75}}
    settings["highlight.max_analyzed_offset"] = _MAX_ANALYZED_CHARACTERS
    return {"settings": {"index": settings}, "mappings": _mappings(definition)}


def records_index_body(connection: Connection) -> Body:
    """Return the body that creates a record index: a key to list by, and an unindexed value."""
    fields = {"key": _KEYWORD, "value": _UNINDEXED, "attempt": _UNINDEXED}
    return {
        "settings": {"index": _layout(connection, shards=1)},
        "mappings": {"dynamic": "strict", "properties": fields},
    }


def index_template(connection: Connection) -> Body:
    """Return the index template of our indices. It takes precedence over templates of other users of the cluster."""
    settings = {"settings": {"index": _layout(connection)}, "mappings": {"dynamic": "strict"}}
    return {"index_patterns": ["trawl.*"], "priority": _TEMPLATE_PRIORITY, "template": settings}


def records_template(connection: Connection) -> Body:
    """Return the template of record indices, complete, so that a write recreates a lost index correctly."""
    patterns = [f"{connection.records}-*"]
    return {"index_patterns": patterns, "priority": _TEMPLATE_PRIORITY, "template": records_index_body(connection)}


def sort_field(field: str) -> str:
    """Return the name of a declared field's sort field. Hex, because OpenSearch treats dots and spaces specially."""
    return f"sort_{field.encode().hex()}"


def _layout(connection: Connection, shards: int | None = None) -> Body:
    body: Body = {"number_of_shards": shards or connection.shards}
    if connection.replicas == "auto":
        return {**body, "auto_expand_replicas": "0-1"}
    return {**body, "number_of_replicas": connection.replicas}


def _mappings(definition: IndexDefinition) -> Body:
    fields: Body = {
        "id": {"type": "keyword", "index": False},
        "text": {**_text_field("stemmed"), "fields": {"exact": _text_field("exact")}},
        "kv": _KEYWORD,
        "keys": _KEYWORD,
        "payload": _UNINDEXED,
        "size": {"type": "long", "index": False},
    }
    for field, kind in definition.sortable.items():
        fields[sort_field(field)] = _SORTABLE[kind]
    return {"dynamic": "strict", "properties": fields}


def _text_field(analyzer: str) -> Body:
    return {"type": "text", "analyzer": analyzer, "term_vector": "with_positions_offsets"}


def _analysis(analysis: Analysis) -> Body:
    filters: Body = {"not_too_long": {"type": "length", "max": LONGEST_TOKEN}}
    exact = ["not_too_long"]
    if analysis.lowercase:
        special, replacement = LOWERED_SPECIALLY
        filters["special"] = {"type": "pattern_replace", "pattern": special, "replacement": replacement}
        exact += ["special", "lowercase"]
    stemmed = list(exact)
    if analysis.language != NO_LANGUAGE:
        if rules := [f"{word} => {stem}" for word, stem in overrides(analysis.language).items()]:
            filters["override"] = {"type": "stemmer_override", "rules": rules}
            stemmed.append("override")
        filters["stemmer"] = {"type": "snowball", "language": SNOWBALL[analysis.language]}
        stemmed.append("stemmer")
    return {
        "tokenizer": {"words": {"type": "simple_pattern", "pattern": simple_pattern(analysis)}},
        "filter": filters,
        "analyzer": {"exact": _analyzer(exact), "stemmed": _analyzer(stemmed)},
    }


def _analyzer(filters: list[str]) -> Body:
    return {"type": "custom", "tokenizer": "words", "filter": filters}
