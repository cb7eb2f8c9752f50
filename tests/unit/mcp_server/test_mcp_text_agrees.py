"""The text of a result holds what a client that reads only text needs: ids, titles, scores, totals, how to go on."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from mcp import Client
from mcp.types import TextContent

from indexer.library import Library
from mcp_server.feature import operations_of
from mcp_server.features.all import FEATURES
from mcp_server.protocol.server import OperationServer
from tests.contract.shelf import Shelf, paper
from tests.made_services import MAIN

NAMES = {
    *("id", "doc_id", "job_id", "index_name", "targetId", "sourceId", "title", "url", "key", "s3_uri", "path"),
    *("total", "total_matches", "total_results", "totalCount", "totalResults", "total_chars", "deleted", "indexed"),
    *("next_cursor", "next_offset", "next_continuation_token", "status", "citation", "query_executed"),
}
ASIDE = {"query_parsed", "searchMeta", "backend_status", "metadata", "data", "citationGraph"}
"""How a search was made, and what stands there as JSON."""
NETS = paper("notes/nets.md", "A trawl is a net that a ship tows.", title="Trawl nets", authors=("Maren Holt",))
MESH = paper("notes/mesh.md", "The mesh lets small fish out.", title="Mesh size", links=("nets.md",))
TEXTS = {operation.name: operation.text for operation in operations_of(FEATURES)}


def needed(value: Any) -> Iterator[str]:
    """Return everything of a result that its text must hold."""
    if isinstance(value, list):
        for item in value:
            yield from needed(item)
    if not isinstance(value, Mapping):
        return
    for name, part in value.items():
        if name == "score" and part is not None:
            yield f"{part:.4g}"
        elif name in NAMES and isinstance(part, str | int):
            yield str(part)
        elif name not in ASIDE:
            yield from needed(part)


async def test_texts_of_own_documents_and_jobs_say_what_their_results_say(
    server: OperationServer, library: Library
) -> None:
    await Shelf(library, MAIN).put(NETS, MESH)
    documents = [{"doc_id": f"d-{number}", "content": f"A reef {'x ' * number}"} for number in range(30)]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search_create_index", {"index_name": "geology"}),
        ("search_add_document", {"doc_id": "d-0", "content": "A reef"}),
        ("search_add_documents", {"documents": [*documents, {"doc_id": "bad", "content": ""}]}),
        ("search_index", {"query": "reef", "k": 5}),
        ("search_get_document", {"doc_id": "d-29", "max_chars": 1000}),
        ("search_list_indices", {}),
        ("search_describe_index", {}),
        ("search_delete_document", {"doc_id": "d-3"}),
        ("search_delete_index", {"index_name": "geology"}),
        ("archive_list", {"limit": 1}),
        ("archive_get_document", {"id": NETS.id}),
        ("cite", {"id": NETS.id}),
        ("cite", {"id": NETS.id, "format": "csl-json"}),
        ("archive_ingest", {"source": {"type": "urls", "urls": ["https://example.org/"]}}),
        ("reindex_start", {"index_name": "default"}),
        ("job_list", {}),
        ("archive_delete", {"ids": [MESH.id]}),
    ]
    async with Client(server) as client:
        for name, arguments in calls:
            result = await client.call_tool(name, arguments)
            (content,) = result.content
            assert isinstance(content, TextContent)
            assert result.structured_content is not None
            assert result.structured_content["success"], name
            missing = [value for value in needed(result.structured_content) if value not in content.text]
            assert not missing, (name, content.text)


HIT = {"type": "object", "id": "h1", "bucket": "b", "name": "data/f0.csv", "title": "f0.csv", "score": 1.25, "size": 10,
       "modified": "2025-01-01T00:00:00Z", "metadata": {}, "s3_uri": "s3://b1/data/f0.csv?versionId=v"}  # fmt: skip
STATUS = {"available": True, "backend": "graphql", "capabilities": [], "status": "ready"}
RECORD = {"id": "opendes:x:1", "kind": "osdu:wks:x:1.0.0", "data": {"ID": "q"}, "createTime": None, "version": 123456}
MADE: list[tuple[str, dict[str, Any]]] = [
    ("search_catalog", {"success": True, "query": "csv", "scope": "all", "bucket": None, "results": [HIT],
                        "total_results": 17, "query_time_ms": 1, "backend_used": "graphql", "backend_status": STATUS,
                        "next_cursor": "c_1", "truncated": False}),
    ("bucket_objects_list", {"success": True, "bucket": "b1", "prefix": "", "is_listing": True,
                             "objects": [{"key": "a.csv", "size": 1, "last_modified": "2025", "s3_uri": "s3://b1/a.csv"}],
                             "next_continuation_token": "t_1"}),
    ("search_query", {"success": True, "results": [RECORD], "totalCount": 9, "partition": "opendes", "truncated": False,
                      "searchMeta": {"query_executed": "q", "execution_time_ms": 1}, "next_cursor": "c_2"}),
    ("search_web", {"success": True, "text": "Reefs", "provider": "p", "respondedAt": "2026", "cached": False,
                    "citations": [{"url": "https://example.org/", "title": "Reef", "textSnippet": "Reefs",
                                   "startIndex": 0, "endIndex": 5, "rank": 1}]}),
    ("web_history_list", {"success": True, "total": 3, "kept": True, "searches": [
        {"id": "w_1", "query": "reefs", "asked_at": "2026", "sources": [{"url": "https://a.org/", "title": "A"}]}]}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "result"), MADE, ids=[name for name, _ in MADE])
def test_texts_of_upstreams_say_what_their_results_say(name: str, result: dict[str, Any]) -> None:
    render = TEXTS[name]
    assert render is not None
    text = render(result)
    assert [value for value in needed(result) if value not in text] == []
    assert all(str(record["version"]) in text for record in result.get("results", []) if "version" in record)


def test_a_total_that_was_not_counted_to_its_end_says_so() -> None:
    render = TEXTS["search_catalog"]
    assert render is not None
    assert render({**MADE[0][1], "total_is_at_least": True}).startswith("at least 17 results")
