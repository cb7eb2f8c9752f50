"""Searches over GraphQL: packages and objects in one request, each continued by the catalog's own cursors."""

from indexer.tenancy import Principal
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.backend import PageRequest, PageResult, Position
from mcp_server.features.quilt.graphql.buckets import list_buckets
from mcp_server.features.quilt.graphql.queries import search_body
from mcp_server.features.quilt.graphql.responses import parse_page
from mcp_server.features.quilt.graphql.schema import Stack
from mcp_server.features.quilt.graphql.streams import Stream
from mcp_server.features.quilt.hits import sort_key
from mcp_server.features.quilt.query.catalog_query import CatalogQuery
from mcp_server.features.quilt.results import Backend, CatalogHit


class GraphqlSearch:
    """One stack's GraphQL. A page needs one request, unless it is larger than the largest page of a stack."""

    name: Backend = "graphql"

    def __init__(self, connection: QuiltConnection, registry: str, stack: Stack) -> None:
        self._connection = connection
        self._registry = registry
        self.stack = stack

    async def search(self, principal: Principal, query: CatalogQuery, page: PageRequest) -> PageResult:
        if page.position is None:
            streams = [Stream(kind) for kind in query.kinds]
        else:
            streams = [Stream.from_position(position) for position in page.position]
        await self._fetch(principal, query, streams, page.limit, fresh=page.fresh)
        taken: list[tuple[int, CatalogHit]] = []
        while len(taken) < (page.limit or 0):
            # The next hit of every kind is needed to decide which one comes first.
            if empty := [stream for stream in streams if stream.needs_more]:
                await self._fetch(principal, query, empty, page.limit, fresh=page.fresh)
                continue
            candidates = [number for number, stream in enumerate(streams) if stream.buffer]
            if not candidates:
                break
            best = min(candidates, key=lambda number: sort_key(streams[number].buffer[-1], query.order))
            taken.append((best, streams[best].buffer.pop()))

        def position_after(count: int) -> Position | None:
            numbers = [number for number, _ in taken[:count]]
            positions = [stream.position(numbers.count(number)) for number, stream in enumerate(streams)]
            return [position for position in positions if position is not None] or None

        total = sum(stream.total or 0 for stream in streams)
        return PageResult([hit for _, hit in taken], total if page.position is None else None, position_after)

    async def searchable_buckets(self, principal: Principal, *, fresh: bool) -> list[str] | None:
        return await list_buckets(self._connection, principal, self._registry, fresh=fresh)

    async def _fetch(
        self, principal: Principal, query: CatalogQuery, streams: list[Stream], limit: int | None, *, fresh: bool
    ) -> None:
        """Fetch the next page of each stream, in one request."""
        requests = [stream.next_request(limit) for stream in streams]
        body = search_body(self.stack, query, requests)
        data = await self._connection.graphql(principal, self._registry, body, fresh=fresh)
        for stream, request in zip(streams, requests, strict=True):
            stream.add(parse_page(request, data.get(request.kind)))
