"""Calls that are answered without the SDK's detours are answered as the SDK would answer them."""

from typing import Any

import httpx
import pytest

from mcp_server.protocol.fast_path import FastPath
from mcp_server.protocol.http import McpApp
from mcp_server.protocol.server import build_server
from mcp_server.services import Services
from tests.made_services import MAIN

MODERN = "2026-07-28"
OLDER = "2025-11-25"

PLAIN: list[dict[str, Any]] = [
    {"name": "search_index", "arguments": {"query": "reef — 珊瑚", "facets": ["author"]}},
    {"name": "search_index", "arguments": {"query": "reef", "index_name": "geologie"}},
    {"name": "search_index", "arguments": {"query": ["reef"], "wrong": None}},
    {"name": "search_list_indices", "arguments": {}},
    {"name": "search_list_indices"},
]
ODD: list[dict[str, Any]] = [
    {"name": "search_indexx", "arguments": {"query": "reef"}},
    {"name": "search_index", "arguments": ["reef"]},
    {"name": "search_index", "arguments": None},
    {"name": 5, "arguments": {}},
    {"arguments": {}},
]


async def answers(services: Services, calls: list[dict[str, Any]], era: str, *, direct: bool) -> list[Any]:
    """Return what goes over the wire, with or without the detours."""
    server = build_server(services, MAIN)
    (mine,) = (each for each in server.middleware if isinstance(each, FastPath))
    if not direct:
        server.middleware.remove(mine)
    app = McpApp(server)
    transport = httpx.ASGITransport(app)
    async with app.running(), httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return [await answered(client, call, era) for call in calls]


async def answered(client: httpx.AsyncClient, params: dict[str, Any], era: str) -> Any:
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": era}
    if era == MODERN:
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": str(params.get("name", ""))}
        meta = {"protocolVersion": era, "clientCapabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        params = params | {"_meta": {f"io.modelcontextprotocol/{name}": value for name, value in meta.items()}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    response = await client.post("/mcp", json=body, headers=headers)
    answer = response.json()
    result = answer.get("result", {}).get("structuredContent", {})
    if "took_ms" in result:
        result["took_ms"] = 0
    return response.status_code, answer


@pytest.mark.parametrize("era", [MODERN, OLDER])
@pytest.mark.parametrize("calls", [PLAIN, ODD], ids=["plain", "odd"])
async def test_both_ways_give_the_same_answers(services: Services, calls: list[dict[str, Any]], era: str) -> None:
    assert await answers(services, calls, era, direct=True) == await answers(services, calls, era, direct=False)


@pytest.mark.parametrize("era", [MODERN, OLDER])
async def test_plain_calls_do_not_reach_the_sdk(services: Services, era: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr("mcp_server.protocol.server.OperationServer._call_tool", refuse)
    ((status, answer),) = await answers(services, PLAIN[:1], era, direct=True)
    assert status == 200
    assert answer["result"]["structuredContent"]["success"] is True
    assert answer["result"]["isError"] is False
