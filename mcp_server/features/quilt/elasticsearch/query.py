"""Builds Elasticsearch request bodies for the documents that Quilt's indexers write."""

import json
from typing import Any, Final

from mcp_server.features.quilt.arguments import Order
from mcp_server.features.quilt.elasticsearch.lucene_clauses import group_content, split_clauses
from mcp_server.features.quilt.query.catalog_query import CatalogQuery
from mcp_server.features.quilt.query.conditions import (
    Alternative,
    BooleanValues,
    Condition,
    DateRange,
    NumberRange,
    NumberValues,
    Prefix,
    TextValues,
    iso_date,
)
from mcp_server.features.quilt.results import Kind

Clause = dict[str, Any]

MATCH_NONE: Final[Clause] = {"query": {"match_none": {}}}
FLAT_PACKAGES: Final[Clause] = {"query": {"exists": {"field": "handle"}}, "track_total_hits": True}
"""Matches packages of older stacks, whose metadata is indexed as one text."""
_TEXT_FIELDS: Final[dict[Kind, list[str]]] = {
    "object": ["content", "comment", "ext", "key", "key_text", "meta_text"],
    "package": ["comment", "handle^2", "handle_text^2", "handle.text^2", "metadata^2", "tags^2"],
}
_POINTER_TEXT_FIELDS: Final = ["ptr_name^2", "ptr_name.text^2"]
_MANIFEST_TEXT_FIELDS: Final = ["mnfst_message", "mnfst_metadata^2"]
_MANIFEST: Final = "mnfst"
_METADATA_FIELD: Final = "mnfst_metadata_fields"
_FILTER_FIELDS: Final[dict[Kind, dict[str, tuple[str, ...]]]] = {
    "object": {"ext": ("ext",), "size": ("size",), "modified": ("last_modified",)},
    "package": {
        "size": ("package_stats.total_bytes", "mnfst_stats.total_bytes"),
        "modified": ("last_modified", "ptr_last_modified"),
    },
}
_SOURCE_FIELDS: Final = [
    *("key", "version_id", "size", "last_modified", "user_meta"),
    *("handle", "hash", "comment", "metadata", "package_stats", "ptr_name", "ptr_last_modified"),
]
_MANIFEST_SOURCE_FIELDS: Final = ["mnfst_hash", "mnfst_stats", "mnfst_metadata", "mnfst_message"]
_NAME_FIELDS: Final[dict[Kind, tuple[str, ...]]] = {"object": ("key",), "package": ("handle", "ptr_name")}
_TIE_BREAKERS: Final = [{"_index": {"order": "asc"}}, {"_id": {"order": "asc"}}]
"""Pages are requested by offset, so results with equal sort values need a stable order."""


def search_body(query: CatalogQuery, *, with_hits: bool) -> Clause:
    """Return the body of one request for all requested kinds of result."""
    parts = [_kind_clause(kind, query) for kind in query.kinds]
    clause = parts[0] if len(parts) == 1 else {"bool": {"should": parts, "minimum_should_match": 1}}
    body: Clause = {"query": clause, "track_total_hits": True}
    if with_hits:
        body |= {"_source": _SOURCE_FIELDS, "sort": _sort(query), "track_scores": True}
    return body


def _kind_clause(kind: Kind, query: CatalogQuery) -> Clause:
    clauses = [(condition.negated, _condition_clause(kind, condition)) for condition in query.conditions[kind]]
    excluded = [{"term": {"delete_marker": True}}, *(clause for negated, clause in clauses if negated)]
    if kind == "object":
        excluded.append({"exists": {"field": "handle"}})
    is_of_kind: Clause = {"exists": {"field": "key"}} if kind == "object" else _LATEST_REVISION
    filters = [is_of_kind, *(clause for negated, clause in clauses if not negated)]
    return {"bool": {"must": [_text_clause(kind, query.text)], "filter": filters, "must_not": excluded}}


def _manifest_clause(query: Clause, **options: Any) -> Clause:
    """Match package pointers by their manifest; indices of older stacks do not have this relation."""
    return {"has_parent": {"parent_type": _MANIFEST, "query": query, "ignore_unmapped": True, **options}}


_LATEST_REVISION: Final[Clause] = {
    "bool": {
        "should": [
            {"term": {"pointer_file": "latest"}},
            {
                "bool": {
                    "filter": [
                        {"term": {"ptr_tag": "latest"}},
                        # Not match_all, because the entries of a manifest have its id too.
                        _manifest_clause(
                            {"exists": {"field": "mnfst_hash"}}, inner_hits={"_source": _MANIFEST_SOURCE_FIELDS}
                        ),
                    ]
                }
            },
        ],
        "minimum_should_match": 1,
    }
}
"""Matches the latest revision of each package: one document on older stacks, a pointer to a manifest on newer ones."""


def _text_clause(kind: Kind, text: str | None) -> Clause:
    if text is None:
        return {"match_all": {}}
    return _query_string(text, _TEXT_FIELDS[kind]) if kind == "object" else _package_text_clause(text)


def _package_text_clause(text: str) -> Clause:
    """Match each clause separately, because a package's text is spread over two documents."""
    clauses = split_clauses(text)
    parts: Clause = {"must": [_any_of(_alternative_clauses((clause,))) for clause in clauses.required]}
    if clauses.optional:
        minimum = {"minimum_should_match": 0 if clauses.required else 1}
        parts |= {"should": _alternative_clauses(clauses.optional), **minimum}
    if clauses.excluded:
        parts["must_not"] = _alternative_clauses(clauses.excluded)
    return {"bool": parts}


def _alternative_clauses(clauses: tuple[str, ...]) -> list[Clause]:
    """Match any of these clauses. Those that are not groups share one query, because the length of a URL is limited."""
    groups = [inner for clause in clauses if (inner := group_content(clause)) is not None]
    others = " ".join(clause for clause in clauses if group_content(clause) is None)
    return [_package_text_clause(inner) for inner in groups] + ([_package_fields_clause(others)] if others else [])


def _package_fields_clause(text: str) -> Clause:
    """Match a text in any field of a package."""
    own, pointer = _query_string(text, _TEXT_FIELDS["package"]), _query_string(text, _POINTER_TEXT_FIELDS)
    clauses = [own, pointer, _manifest_clause(_query_string(text, _MANIFEST_TEXT_FIELDS), score=True)]
    if not text.isascii():
        clauses.append(_query_string(_escape_as_json(text), ["metadata^2"]))
    return _any_of(clauses)


def _escape_as_json(text: str) -> str:
    """Return a text as older indexers stored metadata: as JSON with non-ASCII characters escaped."""
    return "".join(
        character if character.isascii() else json.dumps(character)[1:-1].replace("\\", "\\\\") for character in text
    )


def _query_string(text: str, fields: list[str]) -> Clause:
    return {"query_string": {"query": text, "fields": fields, "lenient": True, "analyze_wildcard": True}}


def _condition_clause(kind: Kind, condition: Condition) -> Clause:
    if condition.pointer is not None:
        return _manifest_clause(_metadata_clause(condition.pointer, condition.any_of))
    clauses = []
    for field in _FILTER_FIELDS[kind][condition.field]:
        own = _any_of([_value_clause(field, alternative) for alternative in condition.any_of])
        clauses.append(_manifest_clause(own) if field.startswith(_MANIFEST) else own)
    return _any_of(clauses)


def _metadata_clause(pointer: str, alternatives: tuple[Alternative, ...]) -> Clause:
    """Match a key of user metadata, which is indexed by its path and the type of its value."""
    values = [
        _value_clause(f"{_METADATA_FIELD}.{_metadata_type(alternative)}", alternative) for alternative in alternatives
    ]
    has_key: Clause = {"term": {f"{_METADATA_FIELD}.json_pointer": pointer}}
    return {"nested": {"path": _METADATA_FIELD, "query": {"bool": {"filter": [has_key, _any_of(values)]}}}}


def _metadata_type(alternative: Alternative) -> str:
    match alternative:
        case TextValues() | Prefix():
            return "keyword"
        case NumberValues() | NumberRange():
            return "double"
        case BooleanValues():
            return "boolean"
        case DateRange():
            return "date"


def _value_clause(field: str, alternative: Alternative) -> Clause:
    match alternative:
        case TextValues(values=values) | NumberValues(values=values) | BooleanValues(values=values):
            return {"terms": {field: list(values)}}
        case NumberRange(low=low, high=high):
            return {"range": {field: _bounds(low, high)}}
        case DateRange(low=low, high=high):
            return {"range": {field: _bounds(iso_date(low), iso_date(high))}}
        case Prefix(text=text):
            return {"prefix": {field: {"value": text}}}


def _bounds(low: float | str | None, high: float | str | None) -> Clause:
    return {name: bound for name, bound in (("gte", low), ("lte", high)) if bound is not None}


def _any_of(clauses: list[Clause]) -> Clause:
    return clauses[0] if len(clauses) == 1 else {"bool": {"should": clauses, "minimum_should_match": 1}}


def _sort(query: CatalogQuery) -> list[Clause]:
    order: Order = query.order
    if order == "best":
        return [{"_score": {"order": "desc"}}, *_TIE_BREAKERS]
    (kind,) = query.kinds  # two kinds share no other sort field: see `search_merged`
    if order == "name":
        return [*(_sort_by(field, "asc", "keyword") for field in _NAME_FIELDS[kind]), *_TIE_BREAKERS]
    direction = "desc" if order == "newest" else "asc"
    return [*(_sort_by(field, direction, "date") for field in _FILTER_FIELDS[kind]["modified"]), *_TIE_BREAKERS]


def _sort_by(field: str, direction: str, field_type: str) -> Clause:
    return {field: {"order": direction, "missing": "_last", "unmapped_type": field_type}}
