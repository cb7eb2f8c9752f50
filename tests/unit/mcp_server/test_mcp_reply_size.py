"""No answer that a caller gets by default is longer than hosts accept, whatever there is to tell."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult, TextContent

from indexer.library import Library
from mcp_server.protocol.reply_size import MAX_CHARS, bounded
from mcp_server.protocol.server import OperationServer
from mcp_server.result_json import compact_json
from tests.contract.caller import Caller
from tests.contract.shelf import Shelf, paper
from tests.made_services import MAIN

MOST = 25_000 * 4
"""Characters of 25,000 tokens."""


def checked(result: CallToolResult) -> dict[str, Any]:
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert not result.is_error, content.text
    assert len(content.text) <= MOST
    assert len(json.dumps(result.structured_content, ensure_ascii=False)) <= MOST
    structured: dict[str, Any] = result.structured_content
    return structured


@pytest.fixture
async def filled(library: Library) -> None:
    """A thousand documents with long values, of which some have many fields with names of their own."""
    local, words = Caller(library, MAIN), "reef " * 100
    many = [{f"field-{part}-{number}-{'x' * 80}": words for part in range(100)} for number in range(20)]
    await local.fill(
        {f"d{number}": (words, many[number] if number < 20 else {"note": words}) for number in range(1_000)}
    )
    tags = tuple(f"tag {number} {'x' * 80}" for number in range(300))
    links = tuple(f"https://example.org/{'x' * 300}/{number}" for number in range(120))
    papers = [
        paper(f"a/{number}.md", words, title=f"Reef {words}"[:480], tags=tags, links=links) for number in range(60)
    ]
    await Shelf(library, MAIN).put(*papers)


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_index", {"query": "reef", "k": 1_000}),
        ("search_index", {"query": "reef", "k": 1_000, "detail": "full", "explain": True}),
        ("search_describe_index", {}),
        ("search_get_document", {"doc_id": "d1"}),
        ("search_add_documents", {"documents": [{"doc_id": "x" * 500, "content": ""}] * 500}),
        ("searchLocalArchives", {"query": "reef", "limit": 50, "includeCitations": True, "citationDepth": 3}),
        ("searchLocalArchives", {"query": "reef", "limit": 50, "facets": ["tags", "title"], "detail": "full"}),
        ("archive_list", {"limit": 200}),
        ("search_everywhere", {"query": "reef", "limit": 100}),
    ],
)
async def test_a_default_answer_is_what_hosts_accept(
    server: OperationServer, tool: str, arguments: dict[str, Any]
) -> None:
    async with Client(server) as client:
        assert checked(await client.call_tool(tool, arguments))["success"]


@pytest.mark.usefixtures("filled")
async def test_a_list_of_the_archive_that_is_cut_goes_on_where_it_stopped(server: OperationServer) -> None:
    paths: list[str] = []
    cursor = None
    async with Client(server) as client:
        while cursor is not None or not paths:
            page = checked(await client.call_tool("archive_list", {"limit": 50, "cursor": cursor}))
            assert page["truncated"]
            paths += [document["path"] for document in page["documents"]]
            cursor = page["next_cursor"]
    assert sorted(paths) == sorted(f"a/{number}.md" for number in range(60))


def test_a_short_result_stays_as_it_is() -> None:
    result = {"success": True, "fields": [1, 2, 3]}
    assert bounded(result, compact_json) == (result, compact_json(result))


LONG = "x" * 300_000


@pytest.mark.parametrize(
    "result",
    [
        {"success": True, "errors": [{"path": "x" * 4_000, "reason": str(number)} for number in range(100)]},
        {"success": True, "text": LONG, "id": "a"},
        {"success": True, "nodes": [{"id": number} for number in range(20_000)], "edges": list(range(50_000))},
        {"success": True, "metadata": {f"key {number}": "value" * 5 for number in range(20_000)}},
        {"success": True, "indices": [{"name": "a"}, {"name": "b", "samples": [LONG, LONG, LONG]}]},
        {"success": False, "error": "e", "details": {"closest": [LONG]}},
    ],
)
def test_what_is_longest_is_cut_and_the_answer_says_so(result: Mapping[str, Any]) -> None:
    kept, text = bounded(result, lambda cut: f"{len(cut)} parts")
    assert MAX_CHARS // 2 < len(compact_json(kept)) <= MAX_CHARS
    assert kept.keys() == {*result, "truncated"}
    assert kept["truncated"] is True
    assert text.splitlines()[1:] == ["Shortened to what clients accept: the rest is left out"]


def test_a_text_that_is_the_json_of_the_result_stays_json() -> None:
    kept, text = bounded({"success": True, "text": LONG}, compact_json)
    assert json.loads(text) == kept
