"""OSDU's rules: what is checked, what is asked, and how an answer becomes a page of records."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from indexer.cursors import Cursors, digest
from indexer.search.truncate import truncate_page
from indexer.tenancy import IndexName, Principal, TeamId
from mcp_server.features.osdu.api.connection import OsduConnection
from mcp_server.features.osdu.api.records import buckets, shorten, shown
from mcp_server.features.osdu.api.request import QUERY, QUERY_WITH_CURSOR, Search
from mcp_server.features.osdu.arguments import BuildQuery, DiscoverFields, SearchById, SearchByKind, SearchQuery
from mcp_server.features.osdu.fields import sampled_fields
from mcp_server.features.osdu.hints import EVERYTHING, KnownContents
from mcp_server.features.osdu.paging.cursor_state import Place, mark
from mcp_server.features.osdu.paging.reading import Reading
from mcp_server.features.osdu.query.building import build_query, id_query
from mcp_server.features.osdu.query.checks import (
    DEEPEST,
    check_kind,
    check_page,
    check_query,
    check_sort,
    check_spatial,
)
from mcp_server.features.osdu.results import BuildResult, DiscoverResult, OsduSearchResult, SearchMeta
from mcp_server.upstream.telemetry import Telemetry

_NAME: Final = IndexName("osdu")
_BACKGROUND: Final = Principal(TeamId("trawl"), "background")


@dataclass(frozen=True, slots=True)
class _Page:
    """Which part of the results is wanted."""

    limit: int
    offset: int
    cursor: str | None
    max_chars: int | None


class OsduService:
    """What the tools can do. Every function raises `PlatformError` for what may be expected to fail."""

    def __init__(self, connection: OsduConnection, reading: Reading, cursors: Cursors) -> None:
        self._connection = connection
        self._reading = reading
        self._cursors = cursors
        self._known = KnownContents(connection, _BACKGROUND)

    @property
    def is_configured(self) -> bool:
        """Say whether the settings are complete; that does not mean that OSDU answers."""
        return self._connection.is_configured

    @property
    def telemetry(self) -> Telemetry:
        """Counts of what was asked and what became of it."""
        return self._connection.telemetry

    async def search_query(self, principal: Principal, arguments: SearchQuery) -> OsduSearchResult:
        """Search in Lucene syntax."""
        self._connection.check_configured()
        named = check_query(arguments.query)
        check_spatial(arguments.spatial_filter)
        search = Search(
            query=arguments.query,
            kind=arguments.kind,
            executed=arguments.query,
            returned_fields=arguments.returned_fields,
            sort=arguments.sort,
            aggregate_by=arguments.aggregate_by,
            spatial=arguments.spatial_filter,
            highlighted_fields=arguments.highlighted_fields,
            track_total_count=arguments.track_total_count,
            as_owner=arguments.as_owner,
        )
        page = _Page(arguments.limit, arguments.offset, arguments.cursor, arguments.max_chars)
        return await self._searched(principal, search, page, named)

    async def search_by_id(self, principal: Principal, arguments: SearchById) -> OsduSearchResult:
        """Find a record by its id, or those whose ids match a pattern."""
        self._connection.check_configured()
        query = id_query(arguments.id)
        check_query(query)
        search = Search(query=query, kind=EVERYTHING, executed=query)
        page = _Page(arguments.limit, 0, arguments.cursor, arguments.max_chars)
        return await self._searched(principal, search, page)

    async def search_by_kind(self, principal: Principal, arguments: SearchByKind) -> OsduSearchResult:
        """Return all records of a kind."""
        self._connection.check_configured()
        kind = arguments.kind
        search = Search(
            query="",
            kind=kind,
            executed=f"kind:{kind if isinstance(kind, str) else ','.join(kind)}",
            returned_fields=arguments.returned_fields,
            sort=arguments.sort,
        )
        page = _Page(arguments.limit, arguments.offset, arguments.cursor, arguments.max_chars)
        return await self._searched(principal, search, page)

    async def discover_fields(self, principal: Principal, arguments: DiscoverFields) -> DiscoverResult:
        """Tell which fields records of a kind have, by looking at some."""
        self._connection.check_configured()
        check_kind(arguments.kind)
        search = Search(query="", kind=arguments.kind, executed="")
        answer = await self._connection.ask(principal, QUERY, search.page(arguments.sample, 0))
        fields = sampled_fields(answer["results"])
        if fields:
            self._known.learn(arguments.kind, fields)
        return DiscoverResult(success=True, kind=arguments.kind, fields=fields, sampled=len(answer["results"]))

    async def build_query(self, principal: Principal, arguments: BuildQuery) -> BuildResult:  # noqa: ARG002 - as others
        """Write conditions as a query; OSDU is not asked."""
        return build_query(arguments)

    async def aclose(self) -> None:
        """Stop what runs in the background and close the connections."""
        await self._known.aclose()
        await self._connection.aclose()

    async def _searched(
        self, principal: Principal, search: Search, page: _Page, named: Sequence[str] = ()
    ) -> OsduSearchResult:
        started = time.perf_counter()
        check_kind(search.kind)
        check_sort(search.sort)
        bound_to = _bound(principal, search)
        if page.cursor is None:
            result = await self._first(principal, search, page, bound_to)
            if not result["totalCount"] and (hints := await self._known.hints(search.kind, named)) is not None:
                result["hints"] = hints
        else:
            result = await self._next(principal, search, page, bound_to)
        result["searchMeta"]["execution_time_ms"] = round((time.perf_counter() - started) * 1_000)
        return result

    async def _first(self, principal: Principal, search: Search, page: _Page, bound_to: str) -> OsduSearchResult:
        check_page(page.offset, page.limit)
        answer = await self._connection.ask(principal, QUERY, search.page(page.limit, page.offset))
        raw = answer["results"]
        total = answer["totalCount"]
        result, count = self._result(search, raw, total, page.max_chars)
        if search.aggregate_by is not None:
            result["aggregations"] = buckets(answer.get("aggregations"))
        counted_all = search.track_total_count or total < DEEPEST
        more = page.offset + count < total if counted_all else len(raw) == page.limit
        if raw and (more or count < len(raw)):
            shown_already = frozenset(mark(record) for record in raw[:count])
            place = Place(total=total, position=page.offset, hidden=shown_already)
            result["next_cursor"] = self._cursors.write(place.to_cursor(), bound_to)
        return result

    async def _next(self, principal: Principal, search: Search, page: _Page, bound_to: str) -> OsduSearchResult:
        place = Place.from_cursor(self._cursors.read(str(page.cursor), bound_to))

        async def ask(size: int, cursor: str | None) -> dict[str, Any]:
            body = search.pages(size, cursor)
            answer: dict[str, Any] = await self._connection.ask(principal, QUERY_WITH_CURSOR, body, fresh=True)
            return answer

        pages = await self._reading.read(ask, place, page.limit, exact=search.track_total_count)
        result, count = self._result(search, pages.records, place.total, page.max_chars)
        following = pages.after(count)
        if following is not None:
            kept_total = replace(following, total=place.total)
            result["next_cursor"] = self._cursors.write(kept_total.to_cursor(), bound_to)
        return result

    def _result(
        self, search: Search, raw: Sequence[Mapping[str, Any]], total: int, max_chars: int | None
    ) -> tuple[OsduSearchResult, int]:
        """Return a page without its cursor, and how many of the records are on it."""
        fitted = truncate_page([shown(record, search.returned_fields) for record in raw], max_chars, shorten)
        result = OsduSearchResult(
            success=True,
            results=fitted.hits,
            totalCount=total,
            searchMeta=SearchMeta(query_executed=search.executed, execution_time_ms=0),
            partition=self._connection.partition,
            next_cursor=None,
            truncated=fitted.truncated,
        )
        return result, len(fitted.hits)


def _bound(principal: Principal, search: Search) -> str:
    """Return what a cursor is bound to: the caller, and all that decides which records come in which order."""
    return digest(principal.team, _NAME, {"subject": principal.subject, "search": search.pages(0, None)})
