"""Index settings, analyzers, mappings and templates."""

from typing import Any, Final

import elasticsearch_dsl as dsl

from indexer.engines.opensearch.connection import Connection
from indexer.schema.analysis import LONGEST_TOKEN, LOWERED_SPECIALLY, simple_pattern
from indexer.schema.definition import Analysis, IndexDefinition, SortType
from indexer.schema.languages import NO_LANGUAGE, SNOWBALL, overrides
from indexer.schema.range_codes import LONGEST_TERM, SHORTEST_TERM

Body = dict[str, Any]

_SORTABLE: Final[dict[SortType, type[dsl.Field]]] = {
    "string": dsl.Keyword,
    "number": dsl.Double,
    "date": dsl.Long,
    "boolean": dsl.Byte,
}
_NO_NAME: Final = ""
"""A body does not contain the name of its index or template."""
_BM25: Final = {"type": "BM25", "k1": 1.2, "b": 0.75}
_MAX_ANALYZED_CHARACTERS: Final = 20_000_000
_TEMPLATE_PRIORITY: Final = 5_000
"""High, so that no template of another user of the cluster applies to our indices."""


def index_body(definition: IndexDefinition, connection: Connection, aliases: tuple[str, ...] = ()) -> Body:
    """Return the body that creates a physical index of this definition."""
    index = dsl.Index(_NO_NAME).settings(**_layout(connection), similarity={"default": _BM25})
    index.settings(**{"highlight.max_analyzed_offset": _MAX_ANALYZED_CHARACTERS})
    index.aliases(**{alias: {} for alias in aliases})
    index.mapping(_mapping(definition))
    body: Body = index.to_dict()
    return body


def records_index_body(connection: Connection) -> Body:
    """Return the body that creates a record index."""
    body: Body = records_template(connection)["template"]
    return body


def index_template(connection: Connection) -> Body:
    """Return the index template of our indices. It takes precedence over templates of other users of the cluster."""
    return _template("trawl.*", _layout(connection), _strict_mapping())


def records_template(connection: Connection) -> Body:
    """Return the template of record indices, complete, so that a write recreates a lost index correctly.

    A record has a key to list by, and an unindexed value.
    """
    mapping = _strict_mapping().field("key", dsl.Keyword()).field("value", _unindexed()).field("attempt", _unindexed())
    return _template(f"{connection.records}-*", _layout(connection, shards=1), mapping)


def audit_template(connection: Connection) -> Body:
    """Return the template of the audit log's indices, complete, so that a write recreates a lost index correctly."""
    mapping = _strict_mapping().field("number", dsl.Long()).field("body", _unindexed())
    for name in ("chain", "month", "position", "team", "subject", "operation", "outcome"):
        mapping.field(name, dsl.Keyword())
    return _template(f"{connection.audit}-*", _layout(connection, shards=1), mapping)


def sort_field(field: str) -> str:
    """Return the name of a declared field's sort field. Hex, because OpenSearch treats dots and spaces specially."""
    return f"sort_{field.encode().hex()}"


def _template(pattern: str, layout: Body, mapping: dsl.Mapping) -> Body:
    template = dsl.ComposableIndexTemplate(_NO_NAME, pattern, priority=_TEMPLATE_PRIORITY)
    template.settings(**layout)
    template.mapping(mapping)
    body: Body = template.to_dict()
    return body


def _layout(connection: Connection, shards: int | None = None) -> Body:
    body: Body = {"number_of_shards": shards or connection.shards}
    if connection.replicas == "auto":
        return {**body, "auto_expand_replicas": "0-1"}
    return {**body, "number_of_replicas": connection.replicas}


def _mapping(definition: IndexDefinition) -> dsl.Mapping:
    stemmed, exact = _analyzers(definition.analysis)
    mapping = _strict_mapping().field("id", dsl.Keyword(index=False))
    mapping.field("text", _text_field(stemmed, fields={"exact": _text_field(exact)}))
    mapping.field("kv", dsl.Keyword()).field("keys", dsl.Keyword())
    if definition.range_codes:
        mapping.field("ranges", _range_field())
    mapping.field("payload", _unindexed()).field("size", dsl.Long(index=False))
    for field, kind in definition.sortable.items():
        mapping.field(sort_field(field), _SORTABLE[kind](index=False))
    return mapping


def _strict_mapping() -> dsl.Mapping:
    return dsl.Mapping().meta("dynamic", "strict")


def _unindexed() -> dsl.Field:
    """Return a field that is kept in `_source` only, never parsed or indexed."""
    return dsl.Object(enabled=False)


def _range_field() -> dsl.Field:
    """Return the field of range codes, which finds a code by each of its beginnings."""
    beginnings = dsl.token_filter("beginnings", "edge_ngram", min_gram=SHORTEST_TERM, max_gram=LONGEST_TERM)
    analyzer = dsl.analyzer("range_codes", tokenizer="keyword", filter=[beginnings])
    return dsl.Text(analyzer=analyzer, index_options="docs", norms=False)


def _text_field(analyzer: dsl.analysis.Analyzer, **options: Any) -> dsl.Field:
    return dsl.Text(analyzer=analyzer, term_vector="with_positions_offsets", **options)


def _analyzers(analysis: Analysis) -> tuple[dsl.analysis.Analyzer, dsl.analysis.Analyzer]:
    """Return the analyzers of the stemmed and of the exact text."""
    words = dsl.tokenizer("words", "simple_pattern", pattern=simple_pattern(analysis))
    filters = [dsl.token_filter("not_too_long", "length", max=LONGEST_TOKEN)]
    if analysis.lowercase:
        special, replacement = LOWERED_SPECIALLY
        filters.append(dsl.token_filter("special", "pattern_replace", pattern=special, replacement=replacement))
        filters.append("lowercase")
    exact = dsl.analyzer("exact", tokenizer=words, filter=filters)
    stemmed = dsl.analyzer("stemmed", tokenizer=words, filter=filters + _stemming_filters(analysis.language))
    return stemmed, exact


def _stemming_filters(language: str) -> list[dsl.analysis.TokenFilter]:
    if language == NO_LANGUAGE:
        return []
    stemmer = dsl.token_filter("stemmer", "snowball", language=SNOWBALL[language])
    rules = [f"{word} => {stem}" for word, stem in overrides(language).items()]
    return [dsl.token_filter("override", "stemmer_override", rules=rules), stemmer] if rules else [stemmer]
