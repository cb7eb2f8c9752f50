"""MCP over real HTTP, in both eras of the protocol."""

import json
import logging
from dataclasses import replace
from typing import Any, cast

import httpx
import jsonschema  # type: ignore[import-untyped] # ships no types
import pytest
from mcp import Client, MCPError
from mcp.types import TextContent

from indexer.library import Library
from tests.integration.mcp_served import served

CANARY = "canary_d81e"
ERAS = ["2026-07-28", "legacy"]
PATIENCE = 120.0


def text_of(result: Any) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.mark.parametrize("era", ERAS)
async def test_a_document_is_found_as_soon_as_it_is_added(address: str, era: str) -> None:
    index = f"era_{era.replace('-', '_')}"
    async with Client(address, mode=era) as client:
        schemas = {tool.name: tool.output_schema or {} for tool in (await client.list_tools()).tools}

        async def call(name: str, **arguments: Any) -> dict[str, Any]:
            result = await client.call_tool(name, arguments)
            assert not result.is_error
            structured: dict[str, Any] = result.structured_content
            jsonschema.validate(structured, schemas[name])
            return structured

        await call("search_create_index", index_name=index)
        document = {"doc_id": "a/ü", "content": "Ein Riff — a reef", "metadata": {"deep": {"null": None}}}
        assert (await call("search_add_document", **document, index_name=index))["status"] == "indexed"
        found = await call("search_index", query="+reef", index_name=index)
        (hit,) = found["results"]
        assert (hit["doc_id"], hit["metadata"]) == ("a/ü", {"deep": {"null": None}})
        assert (found["did_you_mean"], found["next_cursor"]) == (None, None)
        missing = await call("search_index", query="reef", index_name="geologie")
        assert (missing["success"], missing["error"]) == (False, "Index not found: geologie")
        (contents,) = (await client.read_resource(f"doc://{index}/a%2F%C3%BC")).contents
        assert contents.text == "Ein Riff — a reef"  # type: ignore[union-attr] # a document is text


@pytest.mark.parametrize("era", ERAS)
async def test_wrong_arguments_are_refused_without_an_echo(
    address: str, era: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        async with Client(address, mode=era) as client:
            result = await client.call_tool("search_index", {"query": [CANARY], "k": CANARY})
            with pytest.raises(MCPError) as unknown:
                await client.call_tool(CANARY, {"query": CANARY})
    assert result.is_error
    assert "query: " in text_of(result)
    assert "k: " in text_of(result)
    assert unknown.value.error.code == -32602
    assert CANARY not in text_of(result) + unknown.value.error.message
    assert CANARY not in caplog.text


@pytest.mark.parametrize("era", ERAS)
async def test_a_bug_is_masked_and_logged_by_its_reference(
    library: Library, era: str, caplog: pytest.LogCaptureFixture
) -> None:
    broken = replace(library, registry=cast("Any", None))
    with served(broken) as url, caplog.at_level(logging.INFO):
        async with Client(url, mode=era) as client:
            result = await client.call_tool("search_index", {"query": CANARY})
    assert result.is_error
    (entry,) = [
        record.getMessage() for record in caplog.records if record.name == "mcp_server.observability.bug_reports"
    ]
    assert entry.split("reference ")[1].split(":")[0] in text_of(result)
    assert "AttributeError at" in entry
    assert CANARY not in text_of(result) + caplog.text


def test_half_a_surrogate_pair_comes_back_as_a_result(address: str) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    body = (
        '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_add_documents", "arguments":'
        '{"documents": [{"doc_id": "\\ud800", "content": "x y"}, {"doc_id": "good", "content": "fine \\ud800"},'
        '{"doc_id": "deep", "content": "fine", "metadata": {"a": "\\udc00"}}]}, "_meta": META}}'
    ).replace("META", json.dumps(meta))
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "search_add_documents",
    }
    answer = httpx.post(address, content=body, headers=headers, timeout=PATIENCE)
    result = answer.json()["result"]["structuredContent"]
    assert result["success"] is True
    assert result["results"][0]["status"] == "failed"


@pytest.mark.parametrize("headers", [{}, {"Accept": "text/event-stream"}, {"MCP-Protocol-Version": "2026-07-28"}])
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_nothing_but_a_post_is_answered_and_at_once(address: str, method: str, headers: dict[str, str]) -> None:
    assert httpx.request(method, address, headers=headers, timeout=PATIENCE).status_code == 405
