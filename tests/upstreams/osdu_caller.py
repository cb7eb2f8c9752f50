"""Calls OSDU's tools as an MCP client does, on a server that has only them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, cast

from mcp import Client
from mcp.types import CallToolResult, TextContent

from mcp_server.discreet import DiscreetServer
from mcp_server.logs import root_logger_untouched
from mcp_server.measures import Measures
from mcp_server.prompts import add_prompts
from mcp_server.registered import registered
from mcp_server.services import Services
from mcp_server.tool import bound
from mcp_server.tools.osdu import OSDU
from mcp_server.upstreams.opening import Upstreams, open_upstreams
from mcp_server.upstreams.osdu.settings import OsduSettings
from mcp_server.upstreams.settings import UpstreamSettings
from tests.upstreams.osdu import PARTITION, TOKEN

KEY = b"a key for tests"


class Caller:
    """Calls tools, each call with a client of its own; `texts` are the renderings of the results, in order."""

    def __init__(self, server: DiscreetServer, upstreams: Upstreams) -> None:
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
    upstreams = open_upstreams(UpstreamSettings(osdu=osdu), key=KEY, redis_url=redis_url, redis_patience=30)
    services = cast("Services", SimpleNamespace(upstreams=upstreams, measures=Measures()))
    with root_logger_untouched():
        server = DiscreetServer(name="test", tools=[registered(tool, bound(tool, services)) for tool in OSDU.tools])
    add_prompts(server)
    try:
        yield Caller(server, upstreams)
    finally:
        await upstreams.aclose()
