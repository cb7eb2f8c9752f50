"""A registry's GraphQL: queries are validated and executed as by a real one, with searches on an engine."""

import inspect
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final
from uuid import uuid4

from graphql import DocumentNode, GraphQLError, GraphQLSchema, execute, graphql_sync, parse, validate

from app.sandbox.engine.port import BadRequest, Body, SearchEngine
from app.sandbox.quilt.indices import HITS
from app.sandbox.quilt.predicates import filters, user_meta

_LARGEST_PAGE: Final = 100
_DEFAULT_PAGE: Final = 30
_MOST_CURSORS: Final = 10_000
_MOST_QUERIES: Final = 100
INTROSPECTION: Final = re.compile(r"__schema\b|__type\s*\(")
_ORDERING: Final = re.compile(r"sys:(name|modified|size|entries|hash|workflow):(asc|desc)\Z")


class Broken(Exception):
    """What a registry answers with an internal server error."""


class Root:
    """Resolves the fields of a query; keeps the cursors that it gave."""

    tail_cursor = True
    """Whether a full last page has a cursor, which leads to an empty one."""
    empty_set = True
    """Whether nothing found is an EmptySearchResultSet, or else a result set of none."""

    def __init__(
        self, engine: SearchEngine, buckets: Callable[[], list[str]], readable: Callable[[], set[str]]
    ) -> None:
        self._engine = engine
        self._buckets = buckets
        self._readable = readable
        self.cursors: dict[str, tuple[str, Body]] = {}

    def bucketConfigs(self, _info: Any) -> list[dict[str, Any]]:  # noqa: N802  # the schema's name, as below
        return [
            {"name": name, "title": name.title(), "relevanceScore": 0, "browsable": True} for name in self._buckets()
        ]

    def bucketConfig(self, info: Any, name: str) -> dict[str, Any] | None:  # noqa: N802
        return next((each for each in self.bucketConfigs(info) if each["name"] == name), None)

    async def searchObjects(self, _info: Any, **arguments: Any) -> dict[str, Any]:  # noqa: N802
        return await self.first("Objects", arguments)

    async def searchPackages(self, _info: Any, **arguments: Any) -> dict[str, Any]:  # noqa: N802
        return await self.first("Packages", arguments)

    async def searchMoreObjects(self, _info: Any, after: str, size: int | None) -> dict[str, Any]:  # noqa: N802
        return await self._more("Objects", after, size)

    async def searchMorePackages(self, _info: Any, after: str, size: int | None) -> dict[str, Any]:  # noqa: N802
        return await self._more("Packages", after, size)

    async def first(self, kind: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Search, and return a result set whose first page is still to be asked for."""
        named = arguments.get("buckets")
        buckets = sorted(self._readable() & set(named) if named else self._readable())
        if not buckets:
            return {"__typename": "EmptySearchResultSet"}
        try:
            body = _search_body(kind, buckets, arguments)
        except ValueError as error:
            return _invalid("filter", "InvalidFilter", str(error))
        try:
            total = (await self._search({**body, "size": 0}))["hits"]["total"]["value"]
        except BadRequest:
            return _invalid("searchString", "QuerySyntaxError", "Failed to parse the query")
        if not total and self.empty_set:
            return {"__typename": "EmptySearchResultSet"}

        async def first_page(_info: Any, size: int | None, order: str | None = None, ordering: Any = None) -> Any:
            if ordering is None:
                sort = _enumerated_sort(kind, order)
            elif isinstance(ordering, str) and (match := _ORDERING.match(ordering)):
                sort = {match[1]: match[2]}
            else:
                return _invalid("ordering", "ordering", "expression := sys:field:dir | usr:pointer:type:dir")
            return await self._page(kind, {**body, "sort": [sort, {"hit_id": "asc"}]}, size)

        return {"__typename": f"{kind}SearchResultSet", "total": total, "firstPage": first_page}

    async def _more(self, kind: str, after: str, size: int | None) -> dict[str, Any]:
        known, body = self.cursors.get(after, ("", {}))
        if known != kind:
            return _invalid("after", "InvalidCursor", "The cursor is invalid or expired")
        return await self._page(kind, body, size)

    async def _page(self, kind: str, body: dict[str, Any], size: int | None) -> dict[str, Any]:
        size = _DEFAULT_PAGE if size is None else size
        if not 0 < size <= _LARGEST_PAGE:
            raise Broken
        found = (await self._search({**body, "size": size}))["hits"]["hits"]
        left = len(found) == size and self.tail_cursor
        if found and not self.tail_cursor:
            left = bool((await self._search({**body, "size": 1, "search_after": found[-1]["sort"]}))["hits"]["hits"])
        cursor = uuid4().hex if left else None
        if cursor is not None:
            while len(self.cursors) >= _MOST_CURSORS:
                del self.cursors[next(iter(self.cursors))]
            self.cursors[cursor] = (kind, {**body, "search_after": found[-1]["sort"]})
        make = _object if kind == "Objects" else _package
        return {"__typename": f"{kind}SearchResultSetPage", "cursor": cursor, "hits": [make(hit) for hit in found]}

    async def _search(self, body: Body) -> Body:
        return await self._engine.search([HITS], body)


def _search_body(kind: str, buckets: list[str], arguments: dict[str, Any]) -> Body:
    """Return the request for all results; `ValueError` where a filter is wrong."""
    only: list[Body] = [
        {"term": {"kind": "object" if kind == "Objects" else "package"}},
        {"terms": {"bucket": buckets}},
    ]
    only += filters(arguments.get("filter") or {}) + user_meta(arguments.get("userMetaFilters") or [])
    if arguments.get("latestOnly"):
        only.append({"term": {"latest": True}})
    text = arguments.get("searchString") or ""
    must: Body = {"query_string": {"query": text, "fields": ["all"]}} if text else {"match_all": {}}
    return {"query": {"bool": {"must": [must], "filter": only}}, "track_total_hits": True, "track_scores": True}


def _enumerated_sort(kind: str, order: str | None) -> dict[str, str]:
    lexical = "key" if kind == "Objects" else "name"
    return {
        "NEWEST": {"modified": "desc"},
        "OLDEST": {"modified": "asc"},
        "LEX_ASC": {lexical: "asc"},
        "LEX_DESC": {lexical: "desc"},
    }.get(order or "", {"_score": "desc"})


async def answer(schema: GraphQLSchema, root: Root, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Answer a request with its status: 400 where the document does not fit the schema."""
    document, wrong = _checked(schema, body["query"])
    if document is None:
        return 400, {"errors": wrong}
    if INTROSPECTION.search(body["query"]):
        return 200, _introspected(schema, body["query"])
    result = execute(schema, document, root, variable_values=body.get("variables"))
    found = await result if inspect.isawaitable(result) else result
    if any(isinstance(error.original_error, Broken) for error in found.errors or ()):
        return 500, {"message": "Internal Server Error"}
    # Wrong variables keep the query from running at all.
    return (400 if found.errors and found.data is None else 200), dict(found.formatted)


@lru_cache(maxsize=_MOST_QUERIES)
def _checked(schema: GraphQLSchema, query: str) -> tuple[DocumentNode | None, list[Any]]:
    try:
        document = parse(query)
    except GraphQLError as error:
        return None, [error.formatted]
    wrong = [error.formatted for error in validate(schema, document)]
    return (None if wrong else document), wrong


@lru_cache(maxsize=_MOST_QUERIES)
def _introspected(schema: GraphQLSchema, query: str) -> dict[str, Any]:
    """Answer what depends on the schema alone, once: it takes long."""
    return dict(graphql_sync(schema, query).formatted)


def _invalid(path: str, name: str, message: str) -> dict[str, Any]:
    error = {"path": path, "name": name, "message": message, "context": {}}
    return {"__typename": "InvalidInput", "errors": [error]}


def _object(hit: dict[str, Any]) -> dict[str, Any]:
    source = hit["_source"]
    kept = {name: source[name] for name in ("bucket", "key", "version", "size", "modified", "deleted")}
    return {"id": source["hit_id"], "score": hit["_score"], **kept, "indexedContent": source["content"] or None}


def _package(hit: dict[str, Any]) -> dict[str, Any]:
    source = hit["_source"]
    names = ("bucket", "name", "pointer", "hash", "size", "modified", "comment", "meta")
    nowhere = dict.fromkeys(("logicalKey", "physicalKey", "meta", "contents"), False)
    return {
        "id": source["hit_id"],
        "score": hit["_score"],
        **{name: source[name] for name in names},
        "totalEntriesCount": source["entries"],
        "workflow": None,
        "matchLocations": {"name": True, "comment": False, "meta": False, "workflow": False},
        "matchingEntries": [
            {"logicalKey": logical, "physicalKey": physical, "size": size, "meta": None, "matchLocations": nowhere}
            for logical, physical, size in source["contained"]
        ],
    }
