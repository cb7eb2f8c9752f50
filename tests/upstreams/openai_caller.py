"""Asks about the web: by the service itself, or by its tool as an MCP client does."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any, cast

from mcp import Client
from mcp.types import CallToolResult, TextContent

from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.features.web.arguments import SearchWeb
from mcp_server.features.web.service import WebService
from mcp_server.features.web.settings import WebSettings
from mcp_server.features.web.upstream import WEB, open_web
from mcp_server.protocol.server import OperationServer, build_server
from mcp_server.shared import Shared
from mcp_server.upstream.guard.policy import Policy
from mcp_server.upstream.upstream import Opening
from mcp_server.upstream.upstreams import open_upstreams
from tests.made_services import MAIN, made_services
from tests.upstreams.openai import KEY

SECRET = b"a key for tests"
PATIENCE = 60.0
LONG = 3_600.0


class PatientSettings(WebSettings):
    """A breaker that does not close by itself while a test runs, and waits that hardly last."""

    @property
    def policy(self) -> Policy:
        return replace(super().policy, cooldown=LONG, longest_cooldown=LONG, first_wait=0.001)


class Asker:
    """Asks one service; a failure comes back in the shape in which tools return it."""

    def __init__(self, service: WebService) -> None:
        self.service = service

    async def __call__(self, query: str | None = None, principal: Principal = MAIN, **arguments: Any) -> dict[str, Any]:
        try:
            return dict(await self.service.search_web(principal, SearchWeb(query=query, **arguments)))
        except PlatformError as error:
            return dict(error.failure())


class Caller:
    """Calls the tool, each time with a client of its own; `texts` are the renderings of the results, in order."""

    def __init__(self, server: OperationServer, service: WebService) -> None:
        self.server = server
        self.service = service
        self.texts: list[str] = []

    async def __call__(self, query: Any = None, **arguments: Any) -> dict[str, Any]:
        result = await self._called(arguments if query is None else {"query": query, **arguments})
        assert not result.is_error, self.texts[-1]
        return cast("dict[str, Any]", result.structured_content)

    async def refused(self, **arguments: Any) -> str:
        result = await self._called(arguments)
        assert result.is_error
        return self.texts[-1]

    async def _called(self, arguments: dict[str, Any]) -> CallToolResult:
        async with Client(self.server) as client:
            result = await client.call_tool("search_web", arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        self.texts.append(content.text)
        return result


def settings(url: str, /, **changes: Any) -> WebSettings:
    """Return settings for a test server, untouched by this machine's environment."""
    given = {"api_key": KEY, "base_url": url, "timeout": PATIENCE, **changes}
    return PatientSettings(_env_file=None, **given)


@asynccontextmanager
async def asking(given: WebSettings, redis_url: str | None = None, key: bytes = SECRET) -> AsyncIterator[Asker]:
    """Open the service alone, with limits of its own unless Redis shares them."""
    async with AsyncExitStack() as stack:
        shared = Shared(redis_url, patience=PATIENCE)
        stack.push_async_callback(shared.aclose)
        service = open_web(given, Opening((key,), shared, None))
        stack.push_async_callback(service.aclose)
        yield Asker(service)


@asynccontextmanager
async def caller(given: WebSettings, redis_url: str | None = None) -> AsyncIterator[Caller]:
    """Serve the tool, and give what calls it."""
    async with asking(given, redis_url) as ask:
        already_open = replace(WEB, open=lambda *_: ask.service)
        upstreams = open_upstreams([already_open], {}, keys=(SECRET,), redis_url=None)
        yield Caller(build_server(made_services(upstreams=upstreams, tools=("search_web",)), MAIN), ask.service)


def frozen(service: WebService, moment: datetime) -> None:
    """Let it be this moment for the service, so that no test runs over midnight."""
    service._now = lambda: moment
    service._budget._now = lambda: moment
