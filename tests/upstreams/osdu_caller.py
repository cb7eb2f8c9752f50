"""Calls OSDU's tools as an MCP client does, on a server that has only them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

from mcp import Client
from mcp.types import CallToolResult, TextContent

from mcp_server.features.osdu import FEATURE
from mcp_server.features.osdu.settings import OsduSettings
from mcp_server.protocol.server import OperationServer, build_server
from mcp_server.upstream.upstreams import Upstreams
from tests.made_services import MAIN, made_services, made_upstreams
from tests.upstreams.osdu import TOKEN
from tests.upstreams.osdu_records import PARTITION


class Caller:
    """Calls tools, each call with a client of its own; `texts` are the renderings of the results, in order."""

    def __init__(self, server: OperationServer, upstreams: Upstreams) -> None:
        self.server = server
        self.upstreams = upstreams
        self.texts: list[str] = []

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self._called(tool, arguments)
        assert not result.is_error, self.texts[-1]
        return cast("dict[str, Any]", result.structured_content)

    async def refused(self, tool: str, **arguments: Any) -> str:
        result = await self._called(tool, arguments)
        assert result.is_error
        return self.texts[-1]

    async def _called(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        async with Client(self.server) as client:
            result = await client.call_tool(tool, arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        self.texts.append(content.text)
        return result


def settings(url: str, /, **changes: Any) -> OsduSettings:
    """Return settings for a test server, untouched by this machine's environment."""
    given = {"url": url, "partition": PARTITION, "token": TOKEN, "cache_seconds": 0, **changes}
    return OsduSettings(_env_file=None, **given)  # type: ignore[call-arg]  # known to pydantic-settings alone


@asynccontextmanager
async def caller(osdu: OsduSettings, redis_url: str | None = None) -> AsyncIterator[Caller]:
    """Serve OSDU's tools, and give what calls them."""
    upstreams = made_upstreams(osdu=osdu, redis_url=redis_url, redis_patience=30)
    services = made_services(upstreams=upstreams, features=(FEATURE,))
    try:
        yield Caller(build_server(services, MAIN), upstreams)
    finally:
        await upstreams.aclose()
