"""Questions in Elasticsearch's own language, over the documents that Quilt's indexers write."""

import json
from datetime import datetime
from typing import Any, Final

from mcp_server.features.quilt.arguments import Order
from mcp_server.features.quilt.elasticsearch.lucene_clauses import group, signed
from mcp_server.features.quilt.query.conditions import (
    Alternative,
    Amounts,
    Beginning,
    Condition,
    Moments,
    Numbers,
    Texts,
    Truths,
)
from mcp_server.features.quilt.query.question import Question
from mcp_server.features.quilt.results import Kind

Clause = dict[str, Any]

NOTHING: Final[Clause] = {"query": {"match_none": {}}}
OLD_PACKAGES: Final[Clause] = {"query": {"exists": {"field": "handle"}}, "track_total_hits": True}
"""Packages whose metadata is indexed as one text."""
_TEXT: Final[dict[Kind, list[str]]] = {
    "object": ["content", "comment", "ext", "key", "key_text", "meta_text"],
    "package": ["comment", "handle^2", "handle_text^2", "handle.text^2", "metadata^2", "tags^2"],
}
_POINTER_TEXT: Final = ["ptr_name^2", "ptr_name.text^2"]
_MANIFEST_TEXT: Final = ["mnfst_message", "mnfst_metadata^2"]
_MANIFEST: Final = "mnfst"
_METADATA: Final = "mnfst_metadata_fields"
_FIELDS: Final[dict[Kind, dict[str, tuple[str, ...]]]] = {
    "object": {"ext": ("ext",), "size": ("size",), "modified": ("last_modified",)},
    "package": {
        "size": ("package_stats.total_bytes", "mnfst_stats.total_bytes"),
        "modified": ("last_modified", "ptr_last_modified"),
    },
}
_SOURCE: Final = [
    *("key", "version_id", "size", "last_modified", "user_meta"),
    *("handle", "hash", "comment", "metadata", "package_stats", "ptr_name", "ptr_last_modified"),
]
_MANIFEST_SOURCE: Final = ["mnfst_hash", "mnfst_stats", "mnfst_metadata", "mnfst_message"]
_NAMES: Final[dict[Kind, tuple[str, ...]]] = {"object": ("key",), "package": ("handle", "ptr_name")}
_TIES: Final = [{"_index": {"order": "asc"}}, {"_id": {"order": "asc"}}]
"""Pages are counted from the beginning, so equal results must keep their order."""


def search_body(question: Question, *, with_hits: bool) -> Clause:
    """Return one request for all kinds of result that are wanted."""
    parts = [_part(kind, question) for kind in question.kinds]
    query = parts[0] if len(parts) == 1 else {"bool": {"should": parts, "minimum_should_match": 1}}
    body: Clause = {"query": query, "track_total_hits": True}
    if with_hits:
        body |= {"_source": _SOURCE, "sort": _sort(question), "track_scores": True}
    return body


def _part(kind: Kind, question: Question) -> Clause:
    written = [(condition.negated, _condition(kind, condition)) for condition in question.conditions[kind]]
    unwanted = [{"term": {"delete_marker": True}}, *(clause for negated, clause in written if negated)]
    if kind == "object":
        unwanted.append({"exists": {"field": "handle"}})
    belongs: Clause = {"exists": {"field": "key"}} if kind == "object" else _LATEST
    filters = [belongs, *(clause for negated, clause in written if not negated)]
    return {"bool": {"must": [_text(kind, question.text)], "filter": filters, "must_not": unwanted}}


def _of_manifest(query: Clause, **options: Any) -> Clause:
    """Ask for pointers by their manifest; indices of older stacks have no such relation."""
    return {"has_parent": {"parent_type": _MANIFEST, "query": query, "ignore_unmapped": True, **options}}


_LATEST: Final[Clause] = {
    "bool": {
        "should": [
            {"term": {"pointer_file": "latest"}},
            {
                "bool": {
                    "filter": [
                        {"term": {"ptr_tag": "latest"}},
                        # Not by match_all: the parts of a manifest have its id too.
                        _of_manifest({"exists": {"field": "mnfst_hash"}}, inner_hits={"_source": _MANIFEST_SOURCE}),
                    ]
                }
            },
        ],
        "minimum_should_match": 1,
    }
}
"""The newest revision of each package: a document of its own on older stacks, a manifest's pointer on newer ones."""


def _text(kind: Kind, text: str | None) -> Clause:
    if text is None:
        return {"match_all": {}}
    own = _words(text, _TEXT[kind])
    if kind == "object":
        return own
    return _package(text)


def _package(text: str) -> Clause:
    """Ask for each clause by itself: what one of a package's documents lacks may stand in the other."""
    clauses = signed(text)
    written: Clause = {"must": [_any(_several((each,))) for each in clauses.required]}
    if clauses.wanted:
        wanted = {"minimum_should_match": 0 if clauses.required else 1}
        written |= {"should": _several(clauses.wanted), **wanted}
    if clauses.unwanted:
        written["must_not"] = _several(clauses.unwanted)
    return {"bool": written}


def _several(clauses: tuple[str, ...]) -> list[Clause]:
    """Ask for any of these, for all that are no groups at once: an address has room for few queries."""
    groups = [inner for each in clauses if (inner := group(each)) is not None]
    others = " ".join(each for each in clauses if group(each) is None)
    return [_package(inner) for inner in groups] + ([_of_package(others)] if others else [])


def _of_package(text: str) -> Clause:
    """Ask for a text anywhere in what is known of a package."""
    own, pointer = _words(text, _TEXT["package"]), _words(text, _POINTER_TEXT)
    clauses = [own, pointer, _of_manifest(_words(text, _MANIFEST_TEXT), score=True)]
    if not text.isascii():
        clauses.append(_words(_as_json(text), ["metadata^2"]))
    return _any(clauses)


def _as_json(text: str) -> str:
    """Return words as older indexers wrote them into metadata: as JSON in plain ASCII."""
    return "".join(each if each.isascii() else json.dumps(each)[1:-1].replace("\\", "\\\\") for each in text)


def _words(text: str, fields: list[str]) -> Clause:
    return {"query_string": {"query": text, "fields": fields, "lenient": True, "analyze_wildcard": True}}


def _condition(kind: Kind, condition: Condition) -> Clause:
    if condition.pointer is not None:
        return _of_manifest(_metadata(condition.pointer, condition.any_of))
    clauses = []
    for field in _FIELDS[kind][condition.field]:
        own = _any([_alternative(field, alternative) for alternative in condition.any_of])
        clauses.append(_of_manifest(own) if field.startswith(_MANIFEST) else own)
    return _any(clauses)


def _metadata(pointer: str, alternatives: tuple[Alternative, ...]) -> Clause:
    """Ask for a key of user metadata, which is indexed by its path and the type of its value."""
    values = [_alternative(f"{_METADATA}.{_type(alternative)}", alternative) for alternative in alternatives]
    here: Clause = {"term": {f"{_METADATA}.json_pointer": pointer}}
    return {"nested": {"path": _METADATA, "query": {"bool": {"filter": [here, _any(values)]}}}}


def _type(alternative: Alternative) -> str:
    match alternative:
        case Texts() | Beginning():
            return "keyword"
        case Amounts() | Numbers():
            return "double"
        case Truths():
            return "boolean"
        case Moments():
            return "date"


def _alternative(field: str, alternative: Alternative) -> Clause:
    match alternative:
        case Texts(values=values) | Amounts(values=values) | Truths(values=values):
            return {"terms": {field: list(values)}}
        case Numbers(low=low, high=high):
            return {"range": {field: _bounds(low, high)}}
        case Moments(low=low, high=high):
            return {"range": {field: _bounds(_iso(low), _iso(high))}}
        case Beginning(text=text):
            return {"prefix": {field: {"value": text}}}


def _bounds(low: float | str | None, high: float | str | None) -> Clause:
    return {name: bound for name, bound in (("gte", low), ("lte", high)) if bound is not None}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def _any(clauses: list[Clause]) -> Clause:
    return clauses[0] if len(clauses) == 1 else {"bool": {"should": clauses, "minimum_should_match": 1}}


def _sort(question: Question) -> list[Clause]:
    order: Order = question.order
    if order == "best":
        return [{"_score": {"order": "desc"}}, *_TIES]
    (kind,) = question.kinds  # the indices of two have no other order in common: see `merged`
    if order == "name":
        return [*(_by(field, "asc", "keyword") for field in _NAMES[kind]), *_TIES]
    direction = "desc" if order == "newest" else "asc"
    return [*(_by(field, direction, "date") for field in _FIELDS[kind]["modified"]), *_TIES]


def _by(field: str, direction: str, kind: str) -> Clause:
    return {field: {"order": direction, "missing": "_last", "unmapped_type": kind}}
