"""The engine in memory: answers search requests on indices of sample data."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from app.sandbox.engine.dates import format_milliseconds
from app.sandbox.engine.field_queries import Scope
from app.sandbox.engine.highlight import highlights
from app.sandbox.engine.index import Index, IndexPlan
from app.sandbox.engine.mapping import Field
from app.sandbox.engine.port import BadRequest, Body
from app.sandbox.engine.query_dsl import InnerHits, Search
from app.sandbox.engine.sorting import Hit, read_sort, sort_hits
from app.sandbox.engine.source_filter import filtered_source

_KEYS: Final = frozenset(
    {
        *("query", "size", "from", "sort", "search_after", "_source"),
        *("track_total_hits", "track_scores", "highlight", "aggs"),
    }
)
_DEFAULT_SIZE: Final = 10
_MAX_RESULT_WINDOW: Final = 10_000


class MemoryEngine:
    """Holds indices by name; each is built by its first search."""

    def __init__(self, plans: Iterable[IndexPlan]) -> None:
        self._plans = {plan.name: plan for plan in plans}
        self._indices: dict[str, Index] = {}

    async def search(self, indices: Sequence[str], body: Body) -> Body:
        """Answer a request as Elasticsearch does; raises `BadRequest`."""
        try:
            return self._respond([self._index(name) for name in indices], body)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise BadRequest("the request is malformed") from None

    def _respond(self, indices: Sequence[Index], body: Body) -> Body:
        if unknown := sorted(body.keys() - _KEYS):
            raise BadRequest(f"unknown key {unknown} in the request")
        size, offset = _count(body, "size", _DEFAULT_SIZE), _count(body, "from", 0)
        if size + offset > _MAX_RESULT_WINDOW:
            raise BadRequest(f"Result window is too large, from + size must be at most {_MAX_RESULT_WINDOW}")
        keys = read_sort(body.get("sort"))
        searches, hits = [], []
        for index in indices:
            for key in keys:
                key.check(index)
            search = Search(index, Scope(index.documents))
            found = search.matches(body.get("query", {"match_all": {}}))
            searches.append(search)
            hits += [Hit(index, number, score) for number, score in found.items()]
        rows = sort_hits(hits, keys, body.get("search_after"))[offset : offset + size]
        has_scores = "sort" not in body or bool(body.get("track_scores")) or any(key.name == "_score" for key in keys)
        by_index = {search.index.name: search for search in searches}
        response: Body = {
            "took": 0,
            "timed_out": False,
            "_shards": {"total": len(searches), "successful": len(searches), "skipped": 0, "failed": 0},
            "hits": {
                "total": _total(len(hits), body.get("track_total_hits", _MAX_RESULT_WINDOW)),
                "max_score": max((hit.score for hit in hits), default=None) if has_scores else None,
                "hits": [
                    _hit(body, by_index[hit.index.name], hit, values if "sort" in body else None, scored=has_scores)
                    for hit, values in rows
                ],
            },
        }
        if body.get("track_total_hits") is False:
            del response["hits"]["total"]
        if "aggs" in body:
            response["aggregations"] = {name: _buckets(each, indices, hits) for name, each in body["aggs"].items()}
        return response

    def _index(self, name: str) -> Index:
        if name not in self._plans:
            raise BadRequest(f"no such index [{name}]", status=404)
        if name not in self._indices:
            self._indices[name] = Index(self._plans[name])
        return self._indices[name]


def _count(body: Body, key: str, default: int) -> int:
    value = body.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadRequest(f"[{key}] parameter cannot be negative, and must be a number")
    return value


def _total(count: int, tracked: Any) -> Body:
    limit = count if isinstance(tracked, bool) else int(tracked)
    return {"value": min(count, limit), "relation": "eq" if count <= limit else "gte"}


def _hit(body: Body, search: Search, hit: Hit, values: list[Any] | None, *, scored: bool) -> Body:
    document = hit.index.stored[hit.number]
    rendered: Body = {"_index": hit.index.name, "_id": document.id, "_score": hit.score if scored else None}
    if document.routing is not None:
        rendered["_routing"] = document.routing
    wanted = body.get("_source", True)
    if wanted is not False:
        rendered["_source"] = filtered_source(document.source, wanted)
    if values is not None:
        rendered["sort"] = values
    if "highlight" in body and (marked := _highlights(body["highlight"], search, document.source)):
        rendered["highlight"] = marked
    inner = {each.name: _inner(hit, each) for each in search.inner_hits if hit.number in each.parents}
    if inner:
        rendered["inner_hits"] = inner
    return rendered


def _inner(hit: Hit, inner: InnerHits) -> Body:
    parent = hit.index.stored[inner.parents[hit.number]]
    source = filtered_source(parent.source, inner.source)
    found = {"_index": hit.index.name, "_id": parent.id, "_score": 1.0, "_source": source}
    return {"hits": {"total": {"value": 1, "relation": "eq"}, "max_score": 1.0, "hits": [found]}}


def _highlights(options: Mapping[str, Any], search: Search, source: Body) -> dict[str, list[str]]:
    found = {}
    for name in options["fields"]:
        field, marks = search.scope.field(name), search.scope.marks.fields.get(name)
        if field is not None and marks and (parts := highlights(source, name, field, marks)):
            found[name] = parts
    return found


def _buckets(aggregation: Any, indices: Sequence[Index], hits: Sequence[Hit]) -> Body:
    """Count the values of a field in all hits: the most frequent first, then by value."""
    match aggregation:
        case {"terms": {"field": str(name)}} if aggregation["terms"].keys() <= {"field", "size"}:
            size = _count(aggregation["terms"], "size", _DEFAULT_SIZE)
        case _:
            raise BadRequest("unknown aggregation")
    kinds = [field for index in indices if (field := index.documents.mapping.fields.get(name)) is not None]
    if any(field.type in {"text", "geo_shape", "join"} for field in kinds):
        raise BadRequest(f"[{name}] cannot be aggregated. Please use a keyword field instead.")
    counts: Counter[Any] = Counter()
    for hit in hits:
        counts.update(set(hit.index.documents.values[name].get(hit.number, ())))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:size]
    return {
        "doc_count_error_upper_bound": 0,
        "sum_other_doc_count": sum(counts.values()) - sum(count for _, count in ordered),
        "buckets": [_bucket(kinds[0], value, count) for value, count in ordered],
    }


def _bucket(field: Field, value: Any, count: int) -> Body:
    match field.type:
        case "boolean":
            return {"key": int(value), "key_as_string": str(value).lower(), "doc_count": count}
        case "date":
            return {"key": value, "key_as_string": format_milliseconds(value), "doc_count": count}
        case _:
            return {"key": value, "doc_count": count}
