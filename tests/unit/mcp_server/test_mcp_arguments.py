"""Arguments that break the schema of each tool."""

import logging
from typing import Any

import pytest
from mcp import Client
from mcp.types import TextContent

from mcp_server.protocol.server import OperationServer
from tests.made_services import TOOLS

CANARY = "canary_33bf"

VALID: dict[str, dict[str, Any]] = {
    "search_index": {"query": CANARY},
    "search_add_document": {"doc_id": CANARY, "content": CANARY},
    "search_add_documents": {"documents": [{"doc_id": CANARY, "content": CANARY}]},
    "search_create_index": {"index_name": CANARY},
    "search_get_document": {"doc_id": CANARY},
    "search_delete_document": {"doc_id": CANARY},
    "search_list_indices": {},
    "search_describe_index": {"index_name": CANARY},
    "search_delete_index": {"index_name": CANARY},
}
NAMES = [tool.name for tool in TOOLS if tool.name in VALID]


def wrong_type(schema: dict[str, Any]) -> Any:
    """Return a value that no schema of these tools accepts there."""
    kinds = [part["type"] for part in schema.get("anyOf", [schema])]
    return [[CANARY]] if "array" not in kinds else CANARY


async def refused(server: OperationServer, name: str, arguments: dict[str, Any], argument: str) -> None:
    async with Client(server) as client:
        result = await client.call_tool(name, arguments)
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert result.is_error
    assert result.structured_content is None
    assert f"{argument}: " in content.text
    assert CANARY not in content.text


@pytest.mark.parametrize("name", NAMES)
async def test_a_missing_argument_is_named(name: str, server: OperationServer) -> None:
    # Missing content is an expected failure, as blank content is.
    for argument in set(tool_schema(name).get("required", [])) - {"content"}:
        await refused(server, name, {key: value for key, value in VALID[name].items() if key != argument}, argument)


@pytest.mark.parametrize("name", NAMES)
async def test_an_unknown_argument_is_refused(name: str, server: OperationServer) -> None:
    await refused(server, name, VALID[name] | {"surprise": CANARY}, "surprise")


@pytest.mark.parametrize("name", NAMES)
async def test_an_argument_of_the_wrong_type_is_named(
    name: str, server: OperationServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        for argument, schema in tool_schema(name)["properties"].items():
            await refused(server, name, VALID[name] | {argument: wrong_type(schema)}, argument)
    assert CANARY not in caplog.text


OUT_OF_RANGE = [
    ("search_index", "k", 0),
    ("search_index", "k", 1001),
    ("search_index", "k", 5.5),
    ("search_index", "k", "1001"),
    ("search_index", "k", "5.5"),
    ("search_index", "k", " 5 "),
    ("search_index", "k", True),
    ("search_index", "max_chars", 999),
    ("search_index", "max_chars", 1_000_001),
    ("search_index", "sort", ["a"] * 9),
    ("search_index", "facets", ["a"] * 17),
    ("search_get_document", "offset", -1),
    ("search_get_document", "max_chars", 0),
    ("search_add_documents", "documents", [{"doc_id": "a", "content": "b"}] * 501),
    ("search_create_index", "sortable_fields", {"year": "money"}),
]


@pytest.mark.parametrize(("name", "argument", "value"), OUT_OF_RANGE)
async def test_a_value_out_of_range_is_refused(name: str, argument: str, value: Any, server: OperationServer) -> None:
    path = f"{argument}.*" if argument == "sortable_fields" else argument
    await refused(server, name, VALID[name] | {argument: value}, path)


def test_every_tool_is_tried_here() -> None:
    assert set(VALID) <= {tool.name for tool in TOOLS}
    assert len(NAMES) == len(VALID)


def tool_schema(name: str) -> dict[str, Any]:
    (tool,) = [tool for tool in TOOLS if tool.name == name]
    schema: dict[str, Any] = tool.arguments.model_json_schema()
    for definition, part in schema.get("$defs", {}).items():
        for key, value in schema["properties"].items():
            if value.get("$ref") == f"#/$defs/{definition}":
                schema["properties"][key] = part
    return schema
