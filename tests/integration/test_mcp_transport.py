"""The transport of the revision without a handshake, against the whole application."""

import json
from collections.abc import Callable
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.modern import ask_modern, modern_request
from tests.operations import over_mcp

CANARY = "canary_7e1f"
CALL = ("tools/call", {"name": "search_list_indices", "arguments": {}})
Spoil = Callable[[dict[str, str], dict[str, Any]], Any]


def error_of(answer: httpx.Response) -> tuple[int, int]:
    return answer.status_code, answer.json()["error"]["code"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda headers, _: headers.pop("mcp-method"),
        lambda headers, _: headers.pop("mcp-name"),
        lambda headers, _: headers.pop("mcp-protocol-version"),
        lambda headers, _: headers.update({"mcp-protocol-version": "2025-11-25"}),
        lambda headers, _: headers.update({"mcp-method": "tools/list"}),
        lambda headers, _: headers.update({"mcp-name": "search_index"}),
        lambda _, body: body["params"].update(name="search_index"),
        lambda _, body: body["params"]["_meta"].update({"io.modelcontextprotocol/protocolVersion": "2025-11-25"}),
    ],
    ids=[
        "no method",
        "no name",
        "no version",
        "older version",
        "other method",
        "other name",
        "body name",
        "body version",
    ],
)
async def test_headers_that_do_not_agree_with_the_body_are_refused(client: httpx.AsyncClient, spoil: Spoil) -> None:
    headers, body = modern_request(*CALL)
    spoil(headers, body)
    answer = await client.post("/mcp", json=body, headers=headers)
    assert error_of(answer) == (400, -32020)
    assert answer.json()["id"] == 7


async def test_an_older_request_may_speak_of_newer_versions(client: httpx.AsyncClient) -> None:
    document = {"doc_id": "a", "content": '"io.modelcontextprotocol/protocolVersion"'}
    reply = await over_mcp(client, "tools/call", {"name": "search_add_document", "arguments": document})
    assert reply["result"]["structuredContent"]["status"] == "indexed"


async def test_an_unsupported_version_is_refused_with_the_supported_ones(client: httpx.AsyncClient) -> None:
    headers, body = modern_request(*CALL)
    headers["mcp-protocol-version"] = "2199-01-01"
    body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2199-01-01"
    answer = await client.post("/mcp", json=body, headers=headers)
    assert error_of(answer) == (400, -32022)
    assert answer.json()["error"]["data"]["supported"] == ["2026-07-28"]


@pytest.mark.parametrize("method", ["tools/unknown", "subscriptions/listen", "resources/subscribe"])
async def test_an_unknown_method_is_not_found_and_nothing_can_be_subscribed_to(
    client: httpx.AsyncClient, method: str
) -> None:
    params = {"uri": "doc://default/a", "notifications": {"resources": {"uris": ["doc://default/a"]}}}
    assert error_of(await ask_modern(client, method, params)) == (404, -32601)
    assert (await over_mcp(client, method, params))["error"]["code"] == -32601


async def test_an_unknown_tool_is_an_error_in_both_revisions_and_not_repeated(client: httpx.AsyncClient) -> None:
    params = {"name": f"search_indx{CANARY}", "arguments": {}}
    answer = await ask_modern(client, "tools/call", params)
    assert error_of(answer) == (400, -32602)
    older = await over_mcp(client, "tools/call", params)
    assert older["error"] == answer.json()["error"]
    assert "search_index" in older["error"]["message"]
    assert CANARY not in json.dumps(older)


@pytest.mark.parametrize("method", ["server/discover", "tools/list", "prompts/list", "resources/list",
                                    "resources/templates/list", "resources/read"])  # fmt: skip
async def test_results_say_how_long_they_may_be_kept(client: httpx.AsyncClient, method: str) -> None:
    params = {"uri": "trawl://status"} if method == "resources/read" else {}
    result = (await ask_modern(client, method, params)).json()["result"]
    assert result["resultType"] == "complete"
    assert result["cacheScope"] == "private"
    assert result["ttlMs"] == (0 if method == "resources/read" else 300_000)


async def test_the_icon_is_told_at_the_start_and_costs_nothing_later(client: httpx.AsyncClient) -> None:
    key = "io.modelcontextprotocol/serverInfo"
    discovered = (await ask_modern(client, "server/discover")).json()["result"]
    (icon,) = discovered["_meta"][key]["icons"]
    assert icon["src"].startswith("data:image/svg+xml,%3Csvg")
    assert len(icon["src"]) < 500
    info = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    assert (await over_mcp(client, "initialize", info))["result"]["serverInfo"]["icons"] == [icon]
    for asked in (CALL, ("tools/list", {})):
        assert "icons" not in (await ask_modern(client, *asked)).json()["result"]["_meta"][key]
    served = await client.get("/icon.svg")
    assert (served.status_code, served.headers["content-type"]) == (200, "image/svg+xml")


@pytest.mark.parametrize("count", [0, 1, 100_000])
async def test_a_batch_is_refused_with_what_to_do_and_not_repeated(client: httpx.AsyncClient, count: int) -> None:
    headers, request = modern_request("tools/call", {"name": CANARY, "arguments": {}})
    for sent in (headers, {"accept": "application/json, text/event-stream"}):
        body = b" [" + b",".join([json.dumps(request).encode()] * count) + b"]"
        answer = await client.post("/mcp", content=body, headers={"content-type": "application/json", **sent})
        assert error_of(answer) == (400, -32600)
        assert answer.json()["error"]["message"] == "Batches are not supported. Send one request at a time"


async def test_a_body_beyond_a_bound_is_refused_in_both_revisions(client: httpx.AsyncClient) -> None:
    headers, request = modern_request("tools/call", {"name": "search_index", "arguments": {"query": [0] * 100_001}})
    for sent in (headers, {"accept": "application/json, text/event-stream"}):
        answer = await client.post("/mcp", json=request, headers=sent)
        assert error_of(answer) == (400, -32600)
        assert "holds more than 100,000 values. Send fewer values" in answer.json()["error"]["message"]


async def test_a_long_document_arrives_unchanged_in_both_revisions(client: httpx.AsyncClient) -> None:
    for doc_id, text in (("wide", 'reef 😀 \\ " é\n' * 200_000), ("escaped", '"\\' * 1_000_000 + "[{" * 1_000)):
        document = {"doc_id": doc_id, "content": text, "metadata": {"note": text[:100_000]}}
        call = {"name": "search_add_document", "arguments": document}
        replies = [(await ask_modern(client, "tools/call", call)).json(), await over_mcp(client, "tools/call", call)]
        assert [reply["result"]["structuredContent"]["status"] for reply in replies] == ["indexed", "re-indexed"]
        stored = (await client.get(f"/api/v1/indices/default/documents/{doc_id}")).json()
        assert stored["content"] == text
        assert stored["metadata"] == document["metadata"]


def test_white_space_around_header_values_is_no_part_of_them(address: str) -> None:
    headers, body = modern_request(*CALL)
    connection = HTTPConnection(urlsplit(address).netloc, timeout=60)
    connection.putrequest("POST", "/mcp")
    content = json.dumps(body).encode()
    for name, value in {**headers, "content-type": "application/json", "content-length": str(len(content))}.items():
        connection.putheader(name, f"  {value} \t ")
    connection.endheaders(content)
    answer = connection.getresponse()
    assert answer.status == 200
    assert json.load(answer)["result"]["structuredContent"]["success"] is True
    connection.close()
