"""Calls `search_everywhere` as an MCP client does; each source has the time that a test gives it, else plenty."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, cast
from unittest.mock import patch

from mcp import Client
from mcp.types import CallToolResult, TextContent

from indexer.library import Library
from indexer.tenancy import Principal
from mcp_server.features.everywhere import service
from mcp_server.features.everywhere.sources import Source, sources_of
from mcp_server.features.osdu.settings import OsduSettings
from mcp_server.protocol.server import OperationServer, build_server
from mcp_server.services import Services
from tests.contract.caller import Caller as Indices
from tests.contract.shelf import Shelf
from tests.made_services import MAIN, made_services, made_upstreams
from tests.unit.everywhere.made_sources import PATIENT
from tests.upstreams.osdu import TOKEN
from tests.upstreams.osdu_records import PARTITION


class Caller:
    """Calls the tool; `text` is the rendering of the last result. `shelf` and `indices` are what is local."""

    def __init__(self, server: OperationServer, library: Library) -> None:
        self.server = server
        self.shelf = Shelf(library, MAIN)
        self.indices = Indices(library, MAIN)
        self.text = ""

    async def __call__(self, query: str, **arguments: Any) -> dict[str, Any]:
        result = await self._called({"query": query, **arguments})
        assert not result.is_error, self.text
        return cast("dict[str, Any]", result.structured_content)

    async def refused(self, **arguments: Any) -> str:
        result = await self._called(arguments)
        assert result.is_error
        return self.text

    async def _called(self, arguments: dict[str, Any]) -> CallToolResult:
        async with Client(self.server) as client:
            result = await client.call_tool("search_everywhere", arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        self.text = content.text
        return result


@asynccontextmanager
async def caller(
    library: Library, *, deadlines: Mapping[str, float] | None = None, redis_url: str | None = None, **upstreams: Any
) -> AsyncIterator[Caller]:
    """Serve the tool on a library and on these upstreams, by their settings; deadlines may change between calls."""
    opened = made_upstreams(redis_url=redis_url, redis_patience=PATIENT, **upstreams)
    given = {} if deadlines is None else deadlines

    def timed(services: Services, principal: Principal) -> list[Source]:
        return [replace(one, deadline=given.get(one.name, PATIENT)) for one in sources_of(services, principal)]

    server = build_server(made_services(library, opened, tools=("search_everywhere",)), MAIN)
    try:
        with patch.object(service, "sources_of", timed):
            yield Caller(server, library)
    finally:
        await opened.aclose()


def osdu_settings(url: str) -> OsduSettings:
    """Return settings for a test server, untouched by this machine's environment."""
    given = {"url": url, "partition": PARTITION, "token": TOKEN, "cache_seconds": 0}
    return OsduSettings(_env_file=None, **given)


def outcomes(result: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what became of each source by its name."""
    return {outcome["source"]: outcome for outcome in result["sources"]}
