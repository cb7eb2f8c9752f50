"""Who may come in over HTTP, and with which methods."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from mcp.server.mcpserver import MCPServer

from mcp_server.observability.sdk_logs import root_logger_untouched
from mcp_server.protocol.http import McpApp

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}
ERAS: list[dict[str, str]] = [{}, {"MCP-Protocol-Version": "2025-11-25"}, {"MCP-Protocol-Version": "2026-07-28"}]


@asynccontextmanager
async def client(
    hosts: list[str], origins: list[str], base: str, *, body_limit: int = 10_000
) -> AsyncIterator[httpx.AsyncClient]:
    with root_logger_untouched():
        server: MCPServer[Any] = MCPServer(name="test", subscriptions=False)
    app = McpApp(server, hosts, origins, body_limit=body_limit)
    transport = httpx.ASGITransport(app)
    async with app.running(), httpx.AsyncClient(transport=transport, base_url=base, headers=ACCEPT) as opened:
        yield opened


@pytest.mark.parametrize(
    ("base", "status"),
    [
        ("http://search.example.org", 200),
        ("http://search.example.org:8000", 200),
        ("http://other.example.org", 421),
        ("http://evil-search.example.org:8000", 421),
        ("http://pinned.example.org:9", 200),
        ("http://pinned.example.org:10", 421),
        ("http://[::1]:8000", 200),
        ("http://[::2]:8000", 421),
    ],
)
async def test_only_named_hosts_are_served(base: str, status: int) -> None:
    async with client(["search.example.org", "pinned.example.org:9", "[::1]"], [], base) as opened:
        assert (await opened.post("/mcp", json=INITIALIZE)).status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://search.example.org", 200),
        ("https://search.example.org:8443", 200),
        ("http://search.example.org", 403),
        ("https://evil.example.org", 403),
        ("null", 403),
    ],
)
async def test_only_named_origins_are_served(origin: str, status: int) -> None:
    async with client(["localhost"], ["https://search.example.org"], "http://localhost") as opened:
        assert (await opened.post("/mcp", json=INITIALIZE, headers={"Origin": origin})).status_code == status


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
@pytest.mark.parametrize("era", ERAS)
async def test_other_methods_are_refused_at_once(method: str, era: dict[str, str]) -> None:
    async with client(["localhost"], [], "http://localhost") as opened:
        answer = await opened.request(method, "/mcp", headers=era)
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "POST"


async def test_other_methods_check_the_host_first() -> None:
    async with client(["localhost"], [], "http://evil.example.org") as opened:
        assert (await opened.get("/mcp")).status_code == 421


async def test_other_paths_are_not_there() -> None:
    async with client(["localhost"], [], "http://localhost") as opened:
        assert (await opened.get("/other")).status_code == 404


@pytest.mark.parametrize("era", ERAS)
async def test_a_body_over_the_limit_is_refused(era: dict[str, str]) -> None:
    async with client(["localhost"], [], "http://localhost", body_limit=100) as opened:
        answer = await opened.post("/mcp", headers=era, json={"text": "x" * 100})
    assert answer.status_code == 413


async def test_answers_are_plain_json() -> None:
    async with client(["localhost"], [], "http://localhost") as opened:
        answer = await opened.post("/mcp", json=INITIALIZE)
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json()["result"]["serverInfo"]["name"] == "test"
