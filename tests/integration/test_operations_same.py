"""Every tool answers the same over MCP and over its route."""

from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped] # ships no types
import pytest

from mcp_server.operation import Operation
from mcp_server.protocol.schema import output_schema
from tests.operations import OPERATIONS, example, filled, over_http, over_mcp
from tests.service import application

TOOLS = [operation for operation in OPERATIONS if operation.text is not None]
CHANGING = {
    "took_ms",
    "query_time_ms",
    "execution_time_ms",
    "created_at",
    "finished_at",
    "revision",
    "size_bytes",
    "job_id",
}


def steady(value: Any) -> Any:
    """Leave out what differs from call to call."""
    match value:
        case dict():
            return {name: steady(item) for name, item in value.items() if name not in CHANGING}
        case list():
            return [steady(item) for item in value]
        case _:
            return value


@pytest.mark.parametrize("operation", TOOLS, ids=lambda operation: operation.name)
async def test_a_tool_and_its_route_give_the_same_answer(tmp_path: Path, operation: Operation[Any, Any]) -> None:
    # By default agents get less of each result.
    whole = {"detail": "full"} if "detail" in operation.arguments.model_fields else {}
    async with application(tmp_path / "mcp") as client:
        tools = {tool["name"]: tool for tool in (await over_mcp(client, "tools/list", {}))["result"]["tools"]}
        given = example(operation.name, job=await filled(client)) | whole
        reply = await over_mcp(client, "tools/call", {"name": operation.name, "arguments": given})
    async with application(tmp_path / "http") as client:
        given = example(operation.name, job=await filled(client)) | whole
        answer = await over_http(client, operation, given)
    assert steady(answer.json()) == steady(reply["result"]["structuredContent"])
    assert answer.is_success == answer.json()["success"]
    jsonschema.validate(reply["result"]["structuredContent"], tools[operation.name]["outputSchema"])
    jsonschema.validate(reply["result"]["structuredContent"], output_schema(operation.result))


async def test_wrong_arguments_are_worded_the_same(tmp_path: Path) -> None:
    wrong = {"query": "reef", "k": "many", "fuzy": True, "sort": {"canary": 1}}
    async with application(tmp_path) as client:
        reply = await over_mcp(client, "tools/call", {"name": "search_index", "arguments": wrong})
        answer = await client.post("/api/v1/indices/default/search", json=wrong)
    lines = [f"{error['argument']}: {error['problem']}" for error in answer.json()["details"]["errors"]]
    assert reply["result"]["content"][0]["text"].splitlines()[1:] == [f"- {line}" for line in lines]
    assert "fuzy: unknown argument; did you mean fuzzy?" in answer.json()["error"]
    assert "canary" not in answer.text


async def test_numbers_and_booleans_given_as_text_are_accepted(tmp_path: Path) -> None:
    given = {"query": "reef", "k": "1", "fuzzy": "true", "max_chars": "5000"}
    async with application(tmp_path) as client:
        await filled(client)
        reply = await over_mcp(client, "tools/call", {"name": "search_index", "arguments": given})
        answer = await client.post("/api/v1/indices/default/search", json=given)
        listed = await client.get("/api/v1/archives/documents", params={"limit": "5"})
    assert len(reply["result"]["structuredContent"]["results"]) == 1
    assert steady(answer.json()) == steady(reply["result"]["structuredContent"])
    assert listed.is_success
