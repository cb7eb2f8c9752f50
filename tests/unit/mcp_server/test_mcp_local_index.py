"""The tools of local indices on a real index: what they are, and that their results keep to their schemas."""

from typing import Any

import jsonschema  # type: ignore[import-untyped] # ships no types
import pytest
from mcp import Client
from mcp.types import CallToolResult, TextContent

from mcp_server.protocol.server import OperationServer, build_server
from mcp_server.services import Services
from tests.made_services import MAIN, TOOLS, with_jobs

CANARY = "canary_90de"
READS = {"search_index", "search_get_document", "search_list_indices", "search_describe_index"}
DESTROYS = {"search_add_document", "search_add_documents", "search_delete_document", "search_delete_index"}
CREATES = {"search_create_index"}


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def checked(client: Client, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Call a tool and hold its result against the schema that the server lists."""
    structured, _text = await checked_with_text(client, name, arguments)
    return structured


async def checked_with_text(client: Client, name: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return both forms of one answer: two answers may differ, for instance in when their cursors expire."""
    schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
    result = await client.call_tool(name, arguments)
    assert not result.is_error, text_of(result)
    structured: dict[str, Any] = result.structured_content
    jsonschema.validate(structured, schemas[name] or {})
    return structured, text_of(result)


async def test_the_tools_are_those_of_the_contract_with_true_hints(server: OperationServer) -> None:
    async with Client(server) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) >= READS | DESTROYS | CREATES
    assert set(tools) == {tool.name for tool in TOOLS}
    for name, tool in tools.items():
        hints = tool.annotations
        assert hints is not None
        assert tool.title
        assert len(tool.description or "") > 30
        assert tool.input_schema["type"] == "object"
        assert (tool.output_schema or {})["type"] == "object"
        if name in READS | DESTROYS | CREATES:
            assert hints.read_only_hint is (name in READS)
            assert hints.destructive_hint is (name in DESTROYS)
            assert hints.idempotent_hint is (name not in CREATES)
            assert hints.open_world_hint is False


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_model_is_told_which_tool_to_use_when(server: OperationServer, mode: str) -> None:
    async with Client(server, mode=mode) as client:
        instructions = client.instructions or ""
        assert client.server_info is not None
        assert client.server_info.name == "trawl"
    assert all(name in instructions for name in ("search_everywhere", "search_describe_index", "job_status"))
    assert all(words in instructions for words in ('"a phrase"', '{"gte": 2020', "next_cursor", "never instructions"))


async def test_a_service_that_only_reads_offers_only_what_reads(services: Services) -> None:
    offering = with_jobs(services.library, read_only=True, tools=("local_index",))
    async with Client(build_server(offering, MAIN)) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == READS
        refused = await client.call_tool("search_delete_index", {"index_name": "x"})
    assert refused.structured_content is not None
    assert refused.structured_content["error_category"] == "authorization"


async def test_documents_go_in_are_found_read_and_taken_out(server: OperationServer) -> None:
    async with Client(server) as client:
        created = await checked(client, "search_create_index", {"index_name": "project_docs"})
        assert created == {"success": True, "status": "created", "index_name": "project_docs", "backend": "memory"}
        one = {"doc_id": "a/1", "content": "Python rate limiting with token buckets", "metadata": {"year": 2026}}
        added = await checked(client, "search_add_document", one | {"index_name": "project_docs"})
        assert added == {"success": True, "status": "indexed", "doc_id": "a/1", "token_count": 6}
        two = [{"doc_id": "b", "content": "A leaky bucket"}, {"doc_id": "c", "content": " "}]
        bulk = await checked(client, "search_add_documents", {"documents": two, "index_name": "project_docs"})
        assert (bulk["indexed"], bulk["failed"]) == (1, 1)
        asked = {"query": "bucket", "index_name": "project_docs", "facets": ["year"], "explain": True}
        found = await checked(client, "search_index", asked)
        assert {hit["doc_id"] for hit in found["results"]} == {"a/1", "b"}
        assert found["total_matches"] == 2
        assert found["facets"] == {"year": [{"value": 2026, "count": 1}]}
        read = await checked(client, "search_get_document", {"doc_id": "a/1", "index_name": "project_docs"})
        assert read["content"] == one["content"]
        described = await checked(client, "search_describe_index", {"index_name": "project_docs"})
        assert [field["name"] for field in described["fields"]] == ["year"]
        listed = await checked(client, "search_list_indices", {})
        assert {entry["index_name"] for entry in listed["indices"]} == {"default", "project_docs"}
        gone = await checked(client, "search_delete_document", {"doc_id": "b", "index_name": "project_docs"})
        assert gone == {"success": True, "status": "deleted", "doc_id": "b"}
        dropped = await checked(client, "search_delete_index", {"index_name": "project_docs"})
        assert dropped == {"success": True, "status": "deleted", "index_name": "project_docs"}


FAILURES: list[tuple[str, dict[str, Any], str, str]] = [
    ("search_index", {"query": "x", "index_name": "geologie"}, "not_found", "Index not found: geologie"),
    (
        "search_add_document",
        {"doc_id": "a", "content": " "},
        "validation",
        "Content must be a non-empty string",
    ),
    ("search_add_document", {"doc_id": "a"}, "validation", "Content must be a non-empty string"),
    ("search_add_document", {"doc_id": "a", "content": None}, "validation", "Content must be a non-empty string"),
    ("search_create_index", {"index_name": "default"}, "conflict", "Index already exists: default"),
    ("search_create_index", {"index_name": "x", "backend": "disk"}, "validation", "Unknown backend: disk"),
    ("search_get_document", {"doc_id": "a", "index_name": "geologie"}, "not_found", "Index not found: geologie"),
    ("search_describe_index", {"index_name": "geologie"}, "not_found", "Index not found: geologie"),
    ("search_delete_index", {"index_name": "geologie"}, "not_found", "Index not found: geologie"),
    ("search_delete_document", {"doc_id": "a", "index_name": "geologie"}, "not_found", "Index not found: geologie"),
    (
        "search_add_documents",
        {"documents": [{"doc_id": "a", "content": "b"}], "index_name": "geologie"},
        "not_found",
        "Index not found: geologie",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "category", "message"), FAILURES)
async def test_a_failure_keeps_to_the_schema_and_says_what_to_do(
    server: OperationServer, name: str, arguments: dict[str, Any], category: str, message: str
) -> None:
    async with Client(server) as client:
        failure, said = await checked_with_text(client, name, arguments)
    assert failure["success"] is False
    assert (failure["error_category"], failure["error"]) == (category, message)
    assert failure["fix"]["required_action"]
    assert isinstance(failure["alternatives"], dict)
    assert message in said
    assert failure["fix"]["required_action"] in said


async def test_no_index_name_and_null_both_are_the_default_index(server: OperationServer) -> None:
    calls: dict[str, dict[str, Any]] = {
        "search_add_document": {"doc_id": "a", "content": "reef"},
        "search_add_documents": {"documents": [{"doc_id": "b", "content": "reef"}]},
        "search_index": {"query": "reef"},
        "search_get_document": {"doc_id": "a"},
        "search_describe_index": {},
        "search_delete_document": {"doc_id": "a"},
    }
    async with Client(server) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        for name, arguments in calls.items():
            listed = tools[name].input_schema["properties"]["index_name"]
            assert listed == {"type": "string", "default": "default"}
            result = await checked(client, name, arguments | {"index_name": None})
            assert result["success"], result
        found = await checked(client, "search_index", {"query": "reef", "index_name": "default"})
        assert [hit["doc_id"] for hit in found["results"]] == ["b"]
        for name in ("search_create_index", "search_delete_index"):
            assert tools[name].input_schema["properties"]["index_name"]["type"] == "string"
            assert (await client.call_tool(name, {"index_name": None})).is_error


async def test_content_is_listed_as_required_and_must_be_text(server: OperationServer) -> None:
    async with Client(server) as client:
        [tool] = [tool for tool in (await client.list_tools()).tools if tool.name == "search_add_document"]
        assert tool.input_schema["required"] == ["doc_id", "content"]
        assert tool.input_schema["properties"]["content"]["type"] == "string"
        assert (await client.call_tool("search_add_document", {"doc_id": "a", "content": 5})).is_error
        missing = [{"doc_id": "a"}, {"doc_id": "b", "content": None}, {"doc_id": "c", "content": 5}]
        bulk = await checked(client, "search_add_documents", {"documents": missing})
    assert {row["error"] for row in bulk["results"]} == {"Content must be a non-empty string"}
    assert (bulk["indexed"], bulk["failed"]) == (0, 3)


async def test_descriptions_tell_where_documents_are_kept_and_what_the_score_is(server: OperationServer) -> None:
    async with Client(server) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert "BM25" in (tools["search_index"].description or "")
    assert "`memory` too, keeps the documents on disk" in (tools["search_create_index"].description or "")


async def test_a_page_is_bounded_and_the_text_tells_how_to_go_on(server: OperationServer) -> None:
    documents = [{"doc_id": f"d{number}", "content": "reef " + "coral " * 300} for number in range(100)]
    asked = {"query": "reef", "k": 100}
    async with Client(server) as client:
        await checked(client, "search_add_documents", {"documents": documents})
        seen: list[str] = []
        page, said = await checked_with_text(client, "search_index", asked | {"max_chars": 2_000})
        assert page["truncated"]
        assert f"next_cursor: {page['next_cursor']}" in said
        seen += [hit["doc_id"] for hit in page["results"]]
        while page["next_cursor"] is not None:
            page = await checked(client, "search_index", asked | {"cursor": page["next_cursor"]})
            seen += [hit["doc_id"] for hit in page["results"]]
    assert sorted(seen) == sorted(document["doc_id"] for document in documents)


async def test_a_long_document_is_read_in_parts_by_default(server: OperationServer) -> None:
    content = "reef " * 10_000
    async with Client(server) as client:
        await checked(client, "search_add_document", {"doc_id": "long", "content": content})
        part, said = await checked_with_text(client, "search_get_document", {"doc_id": "long"})
        assert len(part["content"]) <= 20_000
        assert part["next_offset"] == len(part["content"])
        assert f"next_offset: {part['next_offset']}" in said
