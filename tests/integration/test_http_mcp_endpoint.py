from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.service import application

HEADERS = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}


async def ask(client: httpx.AsyncClient, method: str, **params: Any) -> httpx.Response:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return await client.post("/mcp", json=body, headers=HEADERS)


async def test_tools_are_called_at_the_same_address_as_the_routes(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        document = {"doc_id": "a", "content": "a net in the sea"}
        await client.post("/api/v1/indices/default/documents", json={"documents": [document]})
        answer = await ask(client, "tools/call", name="search_index", arguments={"query": "net"})
        assert answer.status_code == 200
        found = answer.json()["result"]["structuredContent"]
        assert [hit["doc_id"] for hit in found["results"]] == ["a"]
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_the_endpoint_takes_posts_only(tmp_path: Path, method: str) -> None:
    async with application(tmp_path) as client:
        answer = await client.request(method, "/mcp", headers=HEADERS)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


async def test_a_foreign_origin_is_refused(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        answer = await client.post("/mcp", json={}, headers={**HEADERS, "origin": "https://evil.example"})
        assert answer.status_code == 403


async def test_an_allowed_host_reaches_the_endpoint(tmp_path: Path) -> None:
    async with application(tmp_path, allowed_hosts=("search.example.org",)) as client:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        headers = {**HEADERS, "host": "search.example.org", "origin": "https://search.example.org"}
        assert (await client.post("/mcp", json=body, headers=headers)).status_code == 200
