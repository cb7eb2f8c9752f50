"""What a client sees depends on the address that it was given."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.modern import ask_modern
from tests.operations import MCP, OPERATIONS, example, filled, over_http
from tests.service import application

CANARY = "canary_91ab"


async def ask(client: httpx.AsyncClient, path: str, method: str, params: dict[str, Any] | None = None) -> Any:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    answer = await client.post(path, json=body, headers=MCP)
    assert answer.status_code == 200
    return answer.json()


async def tools_at(client: httpx.AsyncClient, path: str) -> set[str]:
    older = {tool["name"] for tool in (await ask(client, path, "tools/list"))["result"]["tools"]}
    newer = (await ask_modern(client, "tools/list", path=path)).json()["result"]["tools"]
    assert {tool["name"] for tool in newer} == older
    return older


@pytest.mark.parametrize("path", ["/mcp", "/mcp/read", "/mcp?tools=jobs"])
async def test_a_last_slash_makes_no_difference(client: httpx.AsyncClient, path: str) -> None:
    with_slash = path.replace("?", "/?") if "?" in path else f"{path}/"
    assert await tools_at(client, path) == await tools_at(client, with_slash)
    assert (await client.get(with_slash)).status_code == 405


async def test_the_address_for_reading_offers_only_what_changes_nothing(client: httpx.AsyncClient) -> None:
    job = await filled(client)
    tools = [operation for operation in OPERATIONS if operation.text is not None]
    assert await tools_at(client, "/mcp/read") == {tool.name for tool in tools if not tool.effect.changes}
    for tool in tools:
        call = {"name": tool.name, "arguments": example(tool.name, job=job)}
        for reply in (
            (await ask(client, "/mcp/read", "tools/call", call))["result"]["structuredContent"],
            (await ask_modern(client, "tools/call", call, "/mcp/read")).json()["result"]["structuredContent"],
        ):
            assert (reply.get("error_category") == "authorization") == tool.effect.changes, tool.name
    document = await ask(client, "/mcp/read", "resources/read", {"uri": "doc://default/one"})
    assert document["result"]["contents"][0]["text"] == "A coral reef"


async def test_the_address_selects_groups_and_operations(client: httpx.AsyncClient) -> None:
    path = "/mcp?tools=jobs,%20cite&tools=search_web&team=any"
    names = {"job_status", "job_list", "job_cancel", "job_retry", "reindex_start", "cite", "search_web"}
    assert await tools_at(client, path) == names
    assert await tools_at(client, path.replace("/mcp", "/mcp/read")) == {"job_status", "job_list", "cite", "search_web"}
    assert await tools_at(client, "/mcp?tools=") == await tools_at(client, "/mcp")
    refused = await ask(client, path, "tools/call", {"name": "search_index", "arguments": {"query": "reef"}})
    failure = refused["result"]["structuredContent"]
    assert failure["error_category"] == "authorization"
    assert "?tools=" in failure["fix"]["required_action"]


async def test_resources_prompts_and_instructions_follow_the_selection(client: httpx.AsyncClient) -> None:
    path = "/mcp?tools=archives"
    templates = (await ask(client, path, "resources/templates/list"))["result"]["resourceTemplates"]
    assert [each["uriTemplate"] for each in templates] == ["doc://archive/{id}"]
    prompts = (await ask(client, path, "prompts/list"))["result"]["prompts"]
    assert [each["name"] for each in prompts] == ["research_archive", "cite_document"]
    cited = (await ask(client, "/mcp?tools=cite", "prompts/list"))["result"]["prompts"]
    assert [each["name"] for each in cited] == ["cite_document"]
    info = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    instructions = (await ask(client, path, "initialize", info))["result"]["instructions"]
    assert "The archive holds" in instructions
    assert "Indices hold" not in instructions
    assert (await ask_modern(client, "server/discover", path=path)).json()["result"]["instructions"] == instructions
    unread = await ask(client, path, "resources/read", {"uri": "doc://default/one"})
    assert unread["error"]["data"]["error_category"] == "authorization"


async def test_an_unknown_name_is_refused_with_what_there_is(client: httpx.AsyncClient) -> None:
    body = {"jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": {}}
    answer = await client.post(f"/mcp?tools=archive,{CANARY}", json=body, headers=MCP)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (answer.json()["id"], error["code"]) == (5, -32602)
    assert "Did you mean archives" in error["message"]
    assert "local_index" in error["message"]
    assert CANARY not in json.dumps(error)


async def test_an_address_never_offers_more_than_the_settings(tmp_path: Path) -> None:
    async with application(tmp_path, mcp={"tools": ("jobs", "archives"), "read_only": True}) as client:
        assert await tools_at(client, "/mcp?tools=jobs,local_index") == {"job_status", "job_list"}
        assert await tools_at(client, "/mcp?tools=local_index") == set()


async def test_routes_ignore_the_selection_of_addresses(client: httpx.AsyncClient) -> None:
    await tools_at(client, "/mcp/read?tools=jobs")
    (create,) = (operation for operation in OPERATIONS if operation.name == "search_create_index")
    assert (await over_http(client, create, example("search_create_index"))).status_code == 200


async def test_many_selections_are_served_and_not_all_are_kept(client: httpx.AsyncClient) -> None:
    names = sorted(operation.name for operation in OPERATIONS if operation.text is not None)
    pairs = [(first, second) for first in names for second in names if first < second][:100]
    for pair in pairs:
        assert await tools_at(client, f"/mcp?tools={','.join(pair)}") == set(pair)
