"""Builds Elasticsearch request bodies for the documents that Quilt's indexers write."""

import json
from typing import Any, Final

from elasticsearch_dsl import Range, Search, types
from elasticsearch_dsl import query as dsl

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

Body = dict[str, Any]

_COUNT: Final = Search().extra(track_total_hits=True)
MATCH_NONE: Final[Body] = Search().query(dsl.MatchNone()).to_dict()
FLAT_PACKAGES: Final[Body] = _COUNT.query(dsl.Exists(field="handle")).to_dict()
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
_PAGE: Final = _COUNT.source(_SOURCE_FIELDS).extra(track_scores=True)
_MANIFEST_SOURCE_FIELDS: Final = ["mnfst_hash", "mnfst_stats", "mnfst_metadata", "mnfst_message"]
_NAME_FIELDS: Final[dict[Kind, tuple[str, ...]]] = {"object": ("key",), "package": ("handle", "ptr_name")}


def search_body(query: CatalogQuery, *, with_hits: bool, search_after: list[Any] | None = None) -> Body:
    """Return the body of one request for all requested kinds of result, maybe after the sort values of a hit."""
    clause = _any_of([_kind_clause(kind, query) for kind in query.kinds])
    search = _PAGE.query(clause).sort(*_sort(query)) if with_hits else _COUNT.query(clause)
    if search_after is not None:
        search = search.extra(search_after=search_after)
    body: Body = search.to_dict()
    return body


def _kind_clause(kind: Kind, query: CatalogQuery) -> dsl.Query:
    clauses = [(condition.negated, _condition_clause(kind, condition)) for condition in query.conditions[kind]]
    excluded = [dsl.Term("delete_marker", True), *(clause for negated, clause in clauses if negated)]
    if kind == "object":
        excluded.append(dsl.Exists(field="handle"))
    is_of_kind = dsl.Exists(field="key") if kind == "object" else _LATEST_REVISION
    filters = [is_of_kind, *(clause for negated, clause in clauses if not negated)]
    return dsl.Bool(must=[_text_clause(kind, query.text)], filter=filters, must_not=excluded)


def _manifest_clause(query: dsl.Query, **options: Any) -> dsl.Query:
    """Match package pointers by their manifest; indices of older stacks do not have this relation."""
    return dsl.HasParent(parent_type=_MANIFEST, query=query, ignore_unmapped=True, **options)


_LATEST_REVISION: Final = dsl.Bool(
    should=[
        dsl.Term("pointer_file", "latest"),
        dsl.Bool(
            filter=[
                dsl.Term("ptr_tag", "latest"),
                # Not match_all, because the entries of a manifest have its id too.
                _manifest_clause(
                    dsl.Exists(field="mnfst_hash"), inner_hits=types.InnerHits(_source=_MANIFEST_SOURCE_FIELDS)
                ),
            ]
        ),
    ],
    minimum_should_match=1,
)
"""Matches the latest revision of each package: one document on older stacks, a pointer to a manifest on newer ones."""


def _text_clause(kind: Kind, text: str | None) -> dsl.Query:
    if text is None:
        return dsl.MatchAll()
    return _query_string(text, _TEXT_FIELDS[kind]) if kind == "object" else _package_text_clause(text)


def _package_text_clause(text: str) -> dsl.Query:
    """Match each clause separately, because a package's text is spread over two documents."""
    clauses = split_clauses(text)
    parts: dict[str, Any] = {"must": [_any_of(_alternative_clauses((clause,))) for clause in clauses.required]}
    if clauses.optional:
        minimum = {"minimum_should_match": 0 if clauses.required else 1}
        parts |= {"should": _alternative_clauses(clauses.optional), **minimum}
    if clauses.excluded:
        parts["must_not"] = _alternative_clauses(clauses.excluded)
    return dsl.Bool(**parts)


def _alternative_clauses(clauses: tuple[str, ...]) -> list[dsl.Query]:
    """Match any of these clauses. Those that are not groups share one query, because the length of a URL is limited."""
    groups = [inner for clause in clauses if (inner := group_content(clause)) is not None]
    others = " ".join(clause for clause in clauses if group_content(clause) is None)
    return [_package_text_clause(inner) for inner in groups] + ([_package_fields_clause(others)] if others else [])


def _package_fields_clause(text: str) -> dsl.Query:
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


def _query_string(text: str, fields: list[str]) -> dsl.Query:
    return dsl.QueryString(query=text, fields=fields, lenient=True, analyze_wildcard=True)


def _condition_clause(kind: Kind, condition: Condition) -> dsl.Query:
    if condition.pointer is not None:
        return _manifest_clause(_metadata_clause(condition.pointer, condition.any_of))
    clauses = []
    for field in _FILTER_FIELDS[kind][condition.field]:
        own = _any_of([_value_clause(field, alternative) for alternative in condition.any_of])
        clauses.append(_manifest_clause(own) if field.startswith(_MANIFEST) else own)
    return _any_of(clauses)


def _metadata_clause(pointer: str, alternatives: tuple[Alternative, ...]) -> dsl.Query:
    """Match a key of user metadata, which is indexed by its path and the type of its value."""
    values = [
        _value_clause(f"{_METADATA_FIELD}.{_metadata_type(alternative)}", alternative) for alternative in alternatives
    ]
    has_key = dsl.Term(f"{_METADATA_FIELD}.json_pointer", pointer)
    return dsl.Nested(path=_METADATA_FIELD, query=dsl.Bool(filter=[has_key, _any_of(values)]))


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


def _value_clause(field: str, alternative: Alternative) -> dsl.Query:
    match alternative:
        case TextValues(values=values) | NumberValues(values=values) | BooleanValues(values=values):
            return dsl.Terms(field, list(values))
        case NumberRange(low=low, high=high):
            return _range_clause(field, low, high)
        case DateRange(low=low, high=high):
            return _range_clause(field, iso_date(low), iso_date(high))
        case Prefix(text=text):
            return dsl.Prefix(field, types.PrefixQuery(value=text))


def _range_clause(field: str, low: float | str | None, high: float | str | None) -> dsl.Query:
    bounds = {name: bound for name, bound in (("gte", low), ("lte", high)) if bound is not None}
    return dsl.Range(field, Range(**bounds))


def _any_of(clauses: list[dsl.Query]) -> dsl.Query:
    return clauses[0] if len(clauses) == 1 else dsl.Bool(should=clauses, minimum_should_match=1)


def _sort(query: CatalogQuery) -> list[Body]:
    order: Order = query.order
    if order == "best":
        return [_sort_by("_score", order="desc"), *_TIE_BREAKERS]
    (kind,) = query.kinds  # two kinds share no other sort field: see `search_merged`
    if order == "name":
        fields, direction, field_type = _NAME_FIELDS[kind], "asc", "keyword"
    else:
        fields, direction, field_type = _FILTER_FIELDS[kind]["modified"], _DIRECTIONS[order], "date"
    options = {"order": direction, "missing": "_last", "unmapped_type": field_type}
    return [*(_sort_by(field, **options) for field in fields), *_TIE_BREAKERS]


def _sort_by(field: str, **options: str) -> Body:
    return {field: types.FieldSort(**options).to_dict()}


_DIRECTIONS: Final = {"newest": "desc", "oldest": "asc"}
_TIE_BREAKERS: Final = [_sort_by("_index", order="asc"), _sort_by("_id", order="asc")]
"""Pages are requested by offset, so results with equal sort values need a stable order."""
