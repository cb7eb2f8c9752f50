"""Search over GraphQL: packages and objects in one request, each read on by the catalog's own cursors."""

from indexer.tenancy import Principal
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.backend import Found, Page, Position
from mcp_server.features.quilt.graphql.answers import answered
from mcp_server.features.quilt.graphql.queries import search_body
from mcp_server.features.quilt.graphql.schema import Stack
from mcp_server.features.quilt.graphql.streams import Stream
from mcp_server.features.quilt.hits import rank
from mcp_server.features.quilt.query.question import Question
from mcp_server.features.quilt.results import Backend, CatalogHit


class GraphqlSearch:
    """One stack's GraphQL. A page of ours is one request unless it is larger than the stack's pages may be."""

    name: Backend = "graphql"

    def __init__(self, connection: QuiltConnection, registry: str, stack: Stack) -> None:
        self._connection = connection
        self._registry = registry
        self.stack = stack

    async def search(self, principal: Principal, question: Question, page: Page) -> Found:
        if page.position is None:
            streams = [Stream(kind) for kind in question.kinds]
        else:
            streams = [Stream.at(place) for place in page.position]
        await self._fetch(principal, question, streams, page.limit, fresh=page.fresh)
        taken: list[tuple[int, CatalogHit]] = []
        while len(taken) < (page.limit or 0):
            # Where one kind's next hit is not known it cannot be said which kind comes next.
            if hungry := [stream for stream in streams if stream.needs_more]:
                await self._fetch(principal, question, hungry, page.limit, fresh=page.fresh)
                continue
            heads = [number for number, stream in enumerate(streams) if stream.waiting]
            if not heads:
                break
            best = min(heads, key=lambda number: rank(streams[number].waiting[-1], question.order))
            taken.append((best, streams[best].waiting.pop()))

        def after(count: int) -> Position | None:
            numbers = [number for number, _ in taken[:count]]
            places = [stream.position(numbers.count(number)) for number, stream in enumerate(streams)]
            return [place for place in places if place is not None] or None

        total = sum(stream.total or 0 for stream in streams)
        return Found([hit for _, hit in taken], total if page.position is None else None, after)

    async def _fetch(
        self, principal: Principal, question: Question, streams: list[Stream], wanted: int | None, *, fresh: bool
    ) -> None:
        """Ask for the next page of each stream, in one request."""
        asks = [stream.ask(wanted) for stream in streams]
        body = search_body(self.stack, question, asks)
        data = await self._connection.graphql(principal, self._registry, body, fresh=fresh)
        for stream, ask in zip(streams, asks, strict=True):
            stream.add(answered(ask, data.get(ask.kind)))
