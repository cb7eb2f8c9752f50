"""With which methods and bodies a client comes in over HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from mcp_server.protocol.http import McpApp
from mcp_server.protocol.server import build_server
from tests.made_services import MAIN, made_services

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
async def client(*, body_limit: int = 10_000) -> AsyncIterator[httpx.AsyncClient]:
    app = McpApp(build_server(made_services(), MAIN), body_limit=body_limit)
    transport = httpx.ASGITransport(app)
    async with (
        app.running(),
        httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=ACCEPT) as opened,
    ):
        yield opened


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
@pytest.mark.parametrize("era", ERAS)
async def test_other_methods_are_refused_at_once(method: str, era: dict[str, str]) -> None:
    async with client() as opened:
        answer = await opened.request(method, "/mcp", headers=era)
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "POST"


@pytest.mark.parametrize("era", ERAS)
async def test_a_body_over_the_limit_is_refused(era: dict[str, str]) -> None:
    async with client(body_limit=100) as opened:
        answer = await opened.post("/mcp", headers=era, json={"text": "x" * 100})
    assert answer.status_code == 413


async def test_answers_are_plain_json() -> None:
    async with client() as opened:
        answer = await opened.post("/mcp", json=INITIALIZE)
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json()["result"]["serverInfo"]["name"] == "trawl"
