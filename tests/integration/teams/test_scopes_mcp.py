"""Scopes and operations over MCP: tools, resources, prompts and completions show and give what a scope allows."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from mcp_server.access.scopes import SCOPES
from tests.integration.teams.matrix import Matrix, check_challenge, rows, running_matrix, was_reached
from tests.modern import modern_request
from tests.operations import MCP, OPERATIONS, example
from tests.scopes import SCOPE_OF

TOOLS = [operation.name for operation in OPERATIONS if operation.text is not None]
RESOURCES = {operation.name: operation.resource.address for operation in OPERATIONS if operation.resource is not None}
PROMPTS = {
    "explore_index": ("search", {"index_name": "default"}),
    "research_archive": ("search", {"question": "Which reefs are there?"}),
    "cite_document": ("search", {"id": "d_none"}),
    "guide_search_patterns": ("osdu", {}),
}
"""By name: the scope without which it leads nowhere, and its arguments."""
COMPLETED = [
    ({"type": "ref/prompt", "name": "explore_index"}, "index_name", "def"),
    ({"type": "ref/resource", "uri": "doc://{index}/{id}"}, "index", "def"),
    ({"type": "ref/resource", "uri": "doc://{index}/{id}"}, "id", "k"),
]
ERAS = ["2026-07-28", "2025-11-25"]
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def matrix(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Matrix]:
    async with running_matrix(tmp_path_factory.mktemp("matrix")) as matrix:
        yield matrix


async def ask(
    matrix: Matrix, scopes: frozenset[str], method: str, params: dict[str, Any], era: str = ERAS[0]
) -> httpx.Response:
    headers, body = modern_request(method, params)
    if era != ERAS[0]:
        headers, body = MCP, {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    return await matrix.client.post("/mcp", json=body, headers={**headers, **matrix.headers(scopes)})


async def listed(matrix: Matrix, scope: str, method: str, key: str) -> list[dict[str, Any]]:
    answer = await ask(matrix, frozenset({scope}), method, {})
    result = answer.json()["result"]
    assert result["cacheScope"] == "private"
    entries: list[dict[str, Any]] = result[key]
    return entries


def check_refused(answer: httpx.Response, missing: str, id_: int | None = 7) -> None:
    check_challenge(answer, missing)
    assert "/.well-known/oauth-protected-resource/mcp" in answer.headers["www-authenticate"]
    refusal = answer.json()
    assert (refusal["jsonrpc"], refusal["id"], refusal["error"]["code"]) == ("2.0", id_, -32600)
    assert f"scope {missing}" in refusal["error"]["message"]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("name", TOOLS)
async def test_a_tool_is_open_to_its_own_scope_alone(matrix: Matrix, name: str, era: str) -> None:
    for scopes, is_allowed in rows(name):
        call = {"name": name, "arguments": example(name, job=matrix.job)}
        answer = await ask(matrix, scopes, "tools/call", call, era)
        if is_allowed:
            assert answer.status_code == 200
            result = answer.json()["result"]
            assert result["isError"] is False
            assert was_reached(result["structuredContent"]), (scopes, answer.text)
        else:
            check_refused(answer, SCOPE_OF[name])


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("in_pieces", [False, True])
async def test_a_long_call_is_refused_like_a_short_one(matrix: Matrix, era: str, in_pieces: bool) -> None:
    call = {"name": "search_add_document", "arguments": {"doc_id": "long", "content": "reef " * 100_000}}
    headers, body = modern_request("tools/call", call)
    if era != ERAS[0]:
        headers, body = MCP, {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": call}
    content = json.dumps(body).encode()

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(content), 50_000):
            yield content[start : start + 50_000]

    for scope in SCOPES:
        sent = {"content-type": "application/json", **headers, **matrix.headers(frozenset({scope}))}
        answer = await matrix.client.post("/mcp", content=pieces() if in_pieces else content, headers=sent)
        if scope == "write":
            assert answer.json()["result"]["structuredContent"]["success"]
        else:
            check_refused(answer, "write")


@pytest.mark.parametrize("scope", SCOPES)
async def test_the_tools_of_a_scope_are_listed_and_no_others(matrix: Matrix, scope: str) -> None:
    names = [tool["name"] for tool in await listed(matrix, scope, "tools/list", "tools")]
    assert names == [name for name in TOOLS if SCOPE_OF[name] == scope]


@pytest.mark.parametrize("name", RESOURCES)
async def test_a_resource_is_open_to_the_scope_of_its_operation_alone(matrix: Matrix, name: str) -> None:
    uri = RESOURCES[name].replace("{index}", "default").replace("{id}", "one")
    for scopes, is_allowed in rows(name):
        answer = await ask(matrix, scopes, "resources/read", {"uri": uri})
        if is_allowed:
            assert answer.status_code in {200, 400}, answer.text
            error = answer.json().get("error")
            assert error is None or error["code"] == -32602, answer.text
        else:
            check_refused(answer, SCOPE_OF[name])


@pytest.mark.parametrize("scope", SCOPES)
async def test_the_resources_of_a_scope_are_listed_and_no_others(matrix: Matrix, scope: str) -> None:
    shown = {each["uri"] for each in await listed(matrix, scope, "resources/list", "resources")}
    templates = await listed(matrix, scope, "resources/templates/list", "resourceTemplates")
    shown |= {each["uriTemplate"] for each in templates}
    assert shown == {address for name, address in RESOURCES.items() if SCOPE_OF[name] == scope}


@pytest.mark.parametrize("scope", SCOPES)
async def test_prompts_are_for_those_who_may_follow_them(matrix: Matrix, scope: str) -> None:
    allowed = {name for name, (needed, _) in PROMPTS.items() if needed == scope}
    assert {each["name"] for each in await listed(matrix, scope, "prompts/list", "prompts")} == allowed
    for name, (_, arguments) in PROMPTS.items():
        answer = await ask(matrix, frozenset({scope}), "prompts/get", {"name": name, "arguments": arguments})
        assert ("result" in answer.json()) == (name in allowed), answer.text


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize(("ref", "argument", "text"), COMPLETED)
async def test_completions_are_for_readers(
    matrix: Matrix, ref: dict[str, str], argument: str, text: str, scope: str
) -> None:
    asked = {"name": argument, "value": text}
    params = {"ref": ref, "argument": asked, "context": {"arguments": {"index": "default"}}}
    answer = (await ask(matrix, frozenset({scope}), "completion/complete", params)).json()
    values = answer.get("result", {}).get("completion", {}).get("values", [])
    assert bool(values) == (scope == "search"), answer


@pytest.mark.parametrize("scope", SCOPES)
async def test_the_instructions_speak_of_what_the_scope_allows(matrix: Matrix, scope: str) -> None:
    answer = await ask(matrix, frozenset({scope}), "server/discover", {})
    told = answer.json()["result"].get("instructions", "")
    for name in TOOLS:
        assert SCOPE_OF[name] == scope or f"`{name}`" not in told
