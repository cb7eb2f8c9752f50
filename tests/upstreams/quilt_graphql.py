"""A registry's GraphQL: real validation and execution, with searches on a real engine."""

import inspect
import re
from collections.abc import Callable
from functools import cache
from typing import Any
from uuid import uuid4

from graphql import DocumentNode, GraphQLError, GraphQLSchema, execute, graphql_sync, parse, validate

from tests.upstreams.quilt_engine import BadQuery, Engine
from tests.upstreams.quilt_predicates import filters, user_meta

LARGEST_PAGE = 100
INTROSPECTION = re.compile(r"__schema\b|__type\s*\(")
_ORDERS: dict[str | None, list[Any]] = {
    None: [],
    "BEST_MATCH": [],
    "NEWEST": [{"modified": "desc"}],
    "OLDEST": [{"modified": "asc"}],
    "LEX_ASC": ["lexical:asc"],
    "LEX_DESC": ["lexical:desc"],
}
_GRAMMAR = re.compile(r"sys:(name|modified|size|entries|hash|workflow):(asc|desc)\Z")


class Broken(Exception):
    """What the registry itself cannot bear: an internal server error."""


class Root:
    """Resolves the fields of a query; keeps the cursors that it gave."""

    def __init__(
        self, engine: Engine | None, buckets: Callable[[], list[str]], readable: Callable[[], set[str]]
    ) -> None:
        self._engine = engine
        self._buckets = buckets
        self._readable = readable
        self.cursors: dict[str, tuple[str, dict[str, Any]]] = {}
        self.tail_cursor = True
        """A full last page has a cursor, which leads to an empty one."""
        self.empty_set = True
        """Nothing found is an EmptySearchResultSet, else a result set of none."""
        self.operation_error: str | None = None
        """The name of a failure that every search ends with."""

    def bucketConfigs(self, _info: Any) -> list[dict[str, Any]]:  # noqa: N802  # the schema's name, as below
        return [
            {"name": name, "title": name.title(), "relevanceScore": 0, "browsable": True} for name in self._buckets()
        ]

    def bucketConfig(self, info: Any, name: str) -> dict[str, Any] | None:  # noqa: N802
        return next((each for each in self.bucketConfigs(info) if each["name"] == name), None)

    async def searchObjects(self, info: Any, **asked: Any) -> dict[str, Any]:  # noqa: N802
        return await self._first("Objects", info.schema, asked)

    async def searchPackages(self, info: Any, **asked: Any) -> dict[str, Any]:  # noqa: N802
        return await self._first("Packages", info.schema, asked)

    async def searchMoreObjects(self, _info: Any, after: str, size: int | None) -> dict[str, Any]:  # noqa: N802
        return await self._more("Objects", after, size)

    async def searchMorePackages(self, _info: Any, after: str, size: int | None) -> dict[str, Any]:  # noqa: N802
        return await self._more("Packages", after, size)

    async def _first(self, kind: str, schema: GraphQLSchema, asked: dict[str, Any]) -> dict[str, Any]:
        if self.operation_error is not None:
            return {"__typename": "OperationError", "name": self.operation_error, "message": "It did not work"}
        readable = self._readable()
        named = asked.get("buckets")
        buckets = sorted(readable if not named else readable & set(named))
        if not buckets:
            return {"__typename": "EmptySearchResultSet"}
        only = [{"term": {"kind": "object" if kind == "Objects" else "package"}}, {"terms": {"bucket": buckets}}]
        try:
            only += filters(asked.get("filter") or {}) + user_meta(asked.get("userMetaFilters") or [])
        except ValueError as error:
            return invalid("filter", "InvalidFilter", str(error))
        if asked.get("latestOnly"):
            only.append({"term": {"latest": True}})
        text = asked.get("searchString") or ""
        must = [{"query_string": {"query": text, "fields": ["all"]}}] if text else [{"match_all": {}}]
        body = {"query": {"bool": {"must": must, "filter": only}}, "track_total_hits": True, "track_scores": True}
        try:
            total = (await self._asked({**body, "size": 0}))["hits"]["total"]["value"]
        except BadQuery:
            return invalid("searchString", "QuerySyntaxError", "Failed to parse the query")
        if not total and self.empty_set:
            return {"__typename": "EmptySearchResultSet"}

        async def first_page(_info: Any, size: int | None, order: str | None = None, ordering: Any = None) -> Any:
            sort = _ORDERS[order]
            if ordering is not None:
                match = _GRAMMAR.match(ordering) if isinstance(ordering, str) else None
                if match is None:
                    return invalid("ordering", "ordering", "expression := sys:field:dir | usr:pointer:type:dir")
                sort = [{match[1]: match[2]}]
            lexical = "key" if kind == "Objects" else "name"
            sort = [{lexical: each.partition(":")[2]} if isinstance(each, str) else each for each in sort]
            return await self._page(kind, {**body, "sort": [*(sort or [{"_score": "desc"}]), {"hit_id": "asc"}]}, size)

        assert schema.get_type(f"{kind}SearchResultSet")
        return {"__typename": f"{kind}SearchResultSet", "total": total, "firstPage": first_page}

    async def _more(self, kind: str, after: str, size: int | None) -> dict[str, Any]:
        known, body = self.cursors.get(after, ("", {}))
        if known != kind:
            return invalid("after", "InvalidCursor", "The cursor is invalid or expired")
        return await self._page(kind, body, size)

    async def _page(self, kind: str, body: dict[str, Any], size: int | None) -> dict[str, Any]:
        size = 30 if size is None else size
        if not 0 < size <= LARGEST_PAGE:
            raise Broken
        found = (await self._asked({**body, "size": size}))["hits"]["hits"]
        left = len(found) == size and self.tail_cursor
        if found and not self.tail_cursor:
            left = bool((await self._asked({**body, "size": 1, "search_after": found[-1]["sort"]}))["hits"]["hits"])
        cursor = uuid4().hex if left else None
        if cursor is not None:
            self.cursors[cursor] = (kind, {**body, "search_after": found[-1]["sort"]})
        make = _object if kind == "Objects" else _package
        return {"__typename": f"{kind}SearchResultSetPage", "cursor": cursor, "hits": [make(hit) for hit in found]}

    async def _asked(self, body: dict[str, Any]) -> dict[str, Any]:
        if self._engine is None:
            raise Broken
        return await self._engine.hits(body)


async def answered(schema: GraphQLSchema, root: Root, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
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


@cache
def _checked(schema: GraphQLSchema, query: str) -> tuple[DocumentNode | None, list[Any]]:
    try:
        document = parse(query)
    except GraphQLError as error:
        return None, [error.formatted]
    wrong = [error.formatted for error in validate(schema, document)]
    return (None if wrong else document), wrong


@cache
def _introspected(schema: GraphQLSchema, query: str) -> dict[str, Any]:
    """Answer what depends on nothing but the schema, once: it takes long."""
    return dict(graphql_sync(schema, query).formatted)


def invalid(path: str, name: str, message: str) -> dict[str, Any]:
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
