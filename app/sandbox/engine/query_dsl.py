"""Elasticsearch's query language: which documents of an index a query matches, and how well."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from app.sandbox.engine import field_queries
from app.sandbox.engine.field_queries import Scope, WrongType
from app.sandbox.engine.geometry import Shape, distance, intersects, is_within, read_shape
from app.sandbox.engine.index import Index
from app.sandbox.engine.marks import Marks
from app.sandbox.engine.matches import Matches, boosted, combine, constant
from app.sandbox.engine.patterns import UnsupportedPattern, wildcard
from app.sandbox.engine.port import BadRequest, Body
from app.sandbox.engine.query_string import query_string

_RANGE_OPTIONS: Final = frozenset({"gte", "gt", "lte", "lt", "boost", "format"})


@dataclass(frozen=True, slots=True)
class InnerHits:
    """The parents that a query found, for the response."""

    name: str
    source: Any
    """Which parts of the parents to return."""
    parents: dict[int, int]


@dataclass(frozen=True, slots=True)
class Search:
    """The search of one index by one query."""

    index: Index
    scope: Scope
    inner_hits: list[InnerHits] = field(default_factory=list)

    def matches(self, query: Body) -> Matches:
        """Return what a query matches; `BadRequest` where it cannot be read."""
        kind, options = _only_item(query, "query")
        if kind not in _QUERIES:
            raise BadRequest(f"unknown query [{kind}]")
        try:
            return _QUERIES[kind](self, options)
        except (WrongType, UnsupportedPattern) as error:
            raise BadRequest(f"failed to create query: {error}") from None
        except (AttributeError, KeyError, TypeError, ValueError):
            raise BadRequest(f"[{kind}] query malformed") from None

    def without_marks(self) -> "Search":
        return replace(self, scope=replace(self.scope, marks=Marks(is_on=False)))


def _bool(search: Search, options: Body) -> Matches:
    _check(options, "bool", {"must", "should", "must_not", "filter", "minimum_should_match", "boost"})

    def clauses(name: str, within: Search = search) -> list[Matches]:
        given = options.get(name, [])
        return [within.matches(each) for each in (given if isinstance(given, list) else [given])]

    minimum = options.get("minimum_should_match")
    found = combine(
        search.scope.documents.count,
        must=clauses("must"),
        should=clauses("should"),
        must_not=clauses("must_not", search.without_marks()),
        filters=clauses("filter"),
        minimum_should_match=None if minimum is None else int(minimum),
    )
    return boosted(found, options.get("boost", 1.0))


def _term(search: Search, options: Body) -> Matches:
    name, value, boost = _field_value(options, "term")
    return boosted(field_queries.term(search.scope, name, value), boost)


def _terms(search: Search, options: Body) -> Matches:
    name, values = _only_item(options, "terms")
    if not isinstance(values, list):
        raise BadRequest("[terms] query requires an array")
    return constant(set().union(*(field_queries.term(search.scope, name, value) for value in values)))


def _range(search: Search, options: Body) -> Matches:
    name, bounds = _only_item(options, "range")
    _check(bounds, "range", _RANGE_OPTIONS)
    found = field_queries.between(
        search.scope,
        name,
        bounds.get("gte", bounds.get("gt")),
        bounds.get("lte", bounds.get("lt")),
        includes_low="gt" not in bounds,
        includes_high="lt" not in bounds,
    )
    return boosted(found, bounds.get("boost", 1.0))


def _wildcard(search: Search, options: Body) -> Matches:
    name, value, boost = _field_value(options, "wildcard")
    return boosted(field_queries.pattern(search.scope, name, wildcard(str(value))), boost)


def _prefix(search: Search, options: Body) -> Matches:
    name, value, boost = _field_value(options, "prefix")
    return boosted(field_queries.prefix(search.scope, name, str(value)), boost)


def _exists(search: Search, options: Body) -> Matches:
    _check(options, "exists", {"field"})
    return field_queries.exists(search.scope, options["field"])


def _nested(search: Search, options: Body) -> Matches:
    _check(options, "nested", {"path", "query", "ignore_unmapped"})
    path, documents = options["path"], search.scope.documents
    if path not in documents.mapping.nested:
        if options.get("ignore_unmapped"):
            return {}
        raise BadRequest(f"[nested] failed to find nested object under path [{path}]")
    objects = documents.nested.get(path)
    if objects is None:
        return {}
    scores: dict[int, list[float]] = {}
    within = replace(search, scope=replace(search.scope, documents=objects))
    for number, score in within.matches(options["query"]).items():
        scores.setdefault(objects.parents[number], []).append(score)
    return {document: sum(each) / len(each) for document, each in scores.items()}


def _has_parent(search: Search, options: Body) -> Matches:
    _check(options, "has_parent", {"parent_type", "query", "score", "ignore_unmapped", "inner_hits"})
    index, kind = search.index, options["parent_type"]
    join = None if index.join_field is None else index.documents.mapping.fields[index.join_field]
    if join is None or kind not in (join.relations or {}):
        if options.get("ignore_unmapped"):
            return {}
        raise BadRequest(f"[has_parent] no join field has been configured, or it has no parent type [{kind}]")
    parents = search.matches(options["query"])
    children = {child: parent for child, parent in index.children(kind).items() if parent in parents}
    if "inner_hits" in options:
        search.inner_hits.append(InnerHits(kind, options["inner_hits"].get("_source", True), children))
    return {child: parents[parent] if options.get("score") else 1.0 for child, parent in children.items()}


def _geo_shape(search: Search, options: Body) -> Matches:
    name, area = _only_item(options, "geo_shape")
    _check(area, "geo_shape", {"shape", "relation"})
    shape, relation = read_shape(area["shape"]), area.get("relation", "intersects")
    if relation not in {"within", "intersects"}:
        raise BadRequest(f"[geo_shape] unknown relation [{relation}]")
    holds = is_within if relation == "within" else intersects
    return _shapes_that(search, name, lambda each: holds(each, shape))


def _geo_distance(search: Search, options: Body) -> Matches:
    given = dict(options)
    metres = float(str(given.pop("distance")).removesuffix("m"))
    name, point = _only_item(given, "geo_distance")
    place = (float(point["lon"]), float(point["lat"]))
    return _shapes_that(search, name, lambda shape: distance(place, shape) <= metres)


def _shapes_that(search: Search, name: str, holds: Callable[[Shape], bool]) -> Matches:
    kind = search.scope.field(name)
    if kind is None or kind.type != "geo_shape":
        raise BadRequest(f"failed to find geo field [{name}]")
    values = search.scope.documents.values[name]
    return constant(document for document, shapes in values.items() if any(holds(shape) for shape in shapes))


_QUERIES: Final[Mapping[str, Callable[[Search, Body], Matches]]] = {
    "match_all": lambda search, _: constant(range(search.scope.documents.count)),
    "match_none": lambda _search, _options: {},
    "query_string": lambda search, options: query_string(search.scope, options),
    "bool": _bool,
    "term": _term,
    "terms": _terms,
    "range": _range,
    "wildcard": _wildcard,
    "prefix": _prefix,
    "exists": _exists,
    "nested": _nested,
    "has_parent": _has_parent,
    "geo_shape": _geo_shape,
    "geo_distance": _geo_distance,
}


def _only_item(body: Any, what: str) -> tuple[str, Any]:
    if not isinstance(body, dict) or len(body) != 1:
        raise BadRequest(f"[{what}] malformed, expected one entry")
    ((name, value),) = body.items()
    return name, value


def _field_value(options: Body, query: str) -> tuple[str, Any, float]:
    """Read `{field: value}` or `{field: {"value": …, "boost": …}}`."""
    name, value = _only_item(options, query)
    if not isinstance(value, dict):
        return name, value, 1.0
    _check(value, query, {"value", "boost"})
    return name, value["value"], float(value.get("boost", 1.0))


def _check(options: Body, query: str, known: Sequence[str] | set[str] | frozenset[str]) -> None:
    if unknown := sorted(set(options) - set(known)):
        raise BadRequest(f"[{query}] query does not support {unknown}")
