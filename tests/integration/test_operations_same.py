"""Every tool answers the same over MCP and over its route."""

from pathlib import Path
from typing import Any

import pytest

from mcp_server.operation import Operation
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
    async with application(tmp_path / "mcp") as client:
        given = example(operation.name, job=await filled(client))
        reply = await over_mcp(client, "tools/call", {"name": operation.name, "arguments": given})
    async with application(tmp_path / "http") as client:
        given = example(operation.name, job=await filled(client))
        answer = await over_http(client, operation, given)
    assert steady(answer.json()) == steady(reply["result"]["structuredContent"])
    assert answer.is_success == answer.json()["success"]
