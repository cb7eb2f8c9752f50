"""The OSDU service: checks the arguments, searches, and builds pages of records."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from indexer.arguments import Detail
from indexer.cursors import Binding, Cursors, bind
from indexer.search.truncate import truncate_page
from indexer.tenancy import Principal, TeamId
from mcp_server.features.osdu.api.connection import OsduConnection
from mcp_server.features.osdu.api.records import parse_buckets, render_record
from mcp_server.features.osdu.api.request import QUERY, QUERY_WITH_CURSOR, Search
from mcp_server.features.osdu.arguments import BuildQuery, DiscoverFields, SearchById, SearchByKind, SearchQuery
from mcp_server.features.osdu.fields import sampled_fields
from mcp_server.features.osdu.hints import EVERYTHING, PartitionContents
from mcp_server.features.osdu.paging.cursor_state import CursorState, record_digest
from mcp_server.features.osdu.paging.stream_reader import StreamReader
from mcp_server.features.osdu.query.building import build_query, id_query
from mcp_server.features.osdu.query.checks import (
    MAX_RESULT_WINDOW,
    check_kind,
    check_page,
    check_query,
    check_sort,
    check_spatial,
)
from mcp_server.features.osdu.results import BuildResult, DiscoverResult, OsduSearchResult, SearchMeta
from mcp_server.features.osdu.shortening import shorten_record, size_fix
from mcp_server.upstream.telemetry import Telemetry

_CURSOR_SOURCE: Final = "osdu"
_BACKGROUND: Final = Principal(TeamId("."), "background")
"""Asks for what is not any team's; no team can have this name."""


@dataclass(frozen=True, slots=True)
class _Page:
    """The requested part of the results."""

    limit: int
    offset: int
    cursor: str | None
    max_chars: int | None
    detail: Detail = "full"


class OsduService:
    """The OSDU operations. Expected failures are raised as `PlatformError`."""

    def __init__(self, connection: OsduConnection, reader: StreamReader, cursors: Cursors) -> None:
        self._connection = connection
        self._reader = reader
        self._cursors = cursors
        self._contents = PartitionContents(connection, _BACKGROUND)

    @property
    def is_configured(self) -> bool:
        """Whether the required settings are set; OSDU is not contacted."""
        return self._connection.is_configured

    @property
    def is_sandbox(self) -> bool:
        """Whether the records are those of the sandbox."""
        return self._connection.is_sandbox

    @property
    def telemetry(self) -> Telemetry:
        """Counts of calls and their outcomes."""
        return self._connection.telemetry

    async def search_query(self, principal: Principal, arguments: SearchQuery) -> OsduSearchResult:
        """Search in Lucene syntax."""
        self._connection.check_configured()
        query_fields = check_query(arguments.query)
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
        page = _Page(arguments.limit, arguments.offset, arguments.cursor, arguments.max_chars, arguments.detail)
        return await self._search(principal, search, page, query_fields)

    async def search_by_id(self, principal: Principal, arguments: SearchById) -> OsduSearchResult:
        """Find a record by its id, or records whose ids match a pattern."""
        self._connection.check_configured()
        query = id_query(arguments.id)
        check_query(query)
        search = Search(query=query, kind=EVERYTHING, executed=query, returned_fields=arguments.returned_fields)
        page = _Page(arguments.limit, 0, arguments.cursor, arguments.max_chars)
        return await self._search(principal, search, page)

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
        page = _Page(arguments.limit, arguments.offset, arguments.cursor, arguments.max_chars, arguments.detail)
        return await self._search(principal, search, page)

    async def discover_fields(self, principal: Principal, arguments: DiscoverFields) -> DiscoverResult:
        """Return the fields of a kind, found by sampling its records."""
        self._connection.check_configured()
        check_kind(arguments.kind)
        search = Search(query="", kind=arguments.kind, executed="")
        response = await self._connection.search(principal, QUERY, search.offset_body(arguments.sample, 0))
        fields = sampled_fields(response["results"])
        if fields:
            self._contents.store_fields(arguments.kind, fields)
        return DiscoverResult(success=True, kind=arguments.kind, fields=fields, sampled=len(response["results"]))

    async def build_query(self, principal: Principal, arguments: BuildQuery) -> BuildResult:  # noqa: ARG002 - all handlers take it
        """Build a query from conditions; no request is sent."""
        return build_query(arguments)

    async def aclose(self) -> None:
        """Stop background refreshes and close the connections."""
        await self._contents.aclose()
        await self._connection.aclose()

    async def _search(
        self, principal: Principal, search: Search, page: _Page, query_fields: Sequence[str] = ()
    ) -> OsduSearchResult:
        started = time.perf_counter()
        check_kind(search.kind)
        check_sort(search.sort)
        binding = _cursor_binding(principal, search)
        if page.cursor is None:
            result = await self._first_page(principal, search, page, binding)
            if (
                not result["totalCount"]
                and (hints := await self._contents.hints(search.kind, query_fields)) is not None
            ):
                result["hints"] = hints
        else:
            result = await self._next_page(principal, search, page, binding)
        result["searchMeta"]["execution_time_ms"] = round((time.perf_counter() - started) * 1_000)
        return result

    async def _first_page(
        self, principal: Principal, search: Search, page: _Page, binding: Binding
    ) -> OsduSearchResult:
        check_page(page.offset, page.limit)
        response = await self._connection.search(principal, QUERY, search.offset_body(page.limit, page.offset))
        raw = response["results"]
        total = response["totalCount"]
        result, count = self._result(search, raw, total, page)
        if search.aggregate_by is not None:
            result["aggregations"] = parse_buckets(response.get("aggregations"))
        total_is_exact = search.track_total_count or total < MAX_RESULT_WINDOW
        more = page.offset + count < total if total_is_exact else len(raw) == page.limit
        if raw and (more or count < len(raw)):
            already_shown = frozenset(record_digest(record) for record in raw[:count])
            state = CursorState(total=total, position=page.offset, already_shown=already_shown)
            result["next_cursor"] = self._cursors.write(state, binding)
        return result

    async def _next_page(self, principal: Principal, search: Search, page: _Page, binding: Binding) -> OsduSearchResult:
        state = self._cursors.read(str(page.cursor), binding, CursorState)

        async def fetch(size: int, cursor: str | None) -> dict[str, Any]:
            body = search.cursor_body(size, cursor)
            response: dict[str, Any] = await self._connection.search(principal, QUERY_WITH_CURSOR, body, fresh=True)
            return response

        batch = await self._reader.read(fetch, state, page.limit, exact=search.track_total_count)
        result, count = self._result(search, batch.records, state.total, page)
        next_state = batch.state_after(count)
        if next_state is not None:
            with_first_total = replace(next_state, total=state.total)
            result["next_cursor"] = self._cursors.write(with_first_total, binding)
        return result

    def _result(
        self, search: Search, raw: Sequence[Mapping[str, Any]], total: int, page: _Page
    ) -> tuple[OsduSearchResult, int]:
        """Return a page without its cursor, and how many of the records fit on it."""
        rendered = [render_record(record, search.returned_fields) for record in raw]
        shown = truncate_page(rendered, page.max_chars, shorten_record, page.detail)
        result = OsduSearchResult(
            success=True,
            results=shown.hits,
            totalCount=total,
            searchMeta=SearchMeta(query_executed=search.executed, execution_time_ms=0),
            partition=self._connection.partition,
            next_cursor=None,
            truncated=shown.truncated,
        )
        if shown.truncated:
            result["fix"] = size_fix(shown.hits, len(raw), page.max_chars, page.detail)
        return result, len(shown.hits)


def _cursor_binding(principal: Principal, search: Search) -> Binding:
    """Bind a cursor to its caller and to everything that decides the order of the records."""
    return bind(principal.team, _CURSOR_SOURCE, {"subject": principal.subject, "search": search.cursor_body(0, None)})
