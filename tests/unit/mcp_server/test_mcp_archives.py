"""The tools of the archive on a real one: what they are, and that their results keep to their schemas."""

from typing import Any

import jsonschema  # type: ignore[import-untyped] # ships no types
import pytest
from mcp import Client, MCPError
from mcp.types import CallToolResult, PromptReference, ResourceTemplateReference, TextContent, TextResourceContents

from indexer.library import Library
from mcp_server.protocol.server import OperationServer
from tests.contract.shelf import Shelf, paper
from tests.made_services import MAIN

CANARY = "canary_2b7f"
READS = {"searchLocalArchives", "archive_get_document", "archive_list", "cite"}
NETS = paper("notes/nets.md", "A trawl is a net that a ship tows.", title="Trawl nets", authors=("Maren Holt",))
MESH = paper("notes/mesh.md", "The mesh lets small fish out.", title="Mesh size", links=("nets.md",), tags=("fish",))


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def checked(client: Client, name: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Call a tool, hold its result against the schema that the server lists, and return both forms of it."""
    schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
    result = await client.call_tool(name, arguments)
    assert not result.is_error, text_of(result)
    structured: dict[str, Any] = result.structured_content
    jsonschema.validate(structured, schemas[name] or {})
    return structured, text_of(result)


@pytest.fixture
async def filled(library: Library) -> None:
    await Shelf(library, MAIN).put(NETS, MESH)


async def test_the_hints_are_true(server: OperationServer) -> None:
    async with Client(server) as client:
        tools = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    for name in READS:
        assert tools[name].read_only_hint is True
        assert tools[name].open_world_hint is False
    assert (tools["archive_delete"].read_only_hint, tools["archive_delete"].destructive_hint) == (False, True)
    ingest = tools["archive_ingest"]
    assert (ingest.read_only_hint, ingest.destructive_hint, ingest.open_world_hint) == (False, True, True)


@pytest.mark.usefixtures("filled")
async def test_a_search_shows_places_and_who_cites_whom(server: OperationServer) -> None:
    async with Client(server) as client:
        asked = {"query": "+fish", "includeCitations": True, "facets": ["tags"]}
        found, text = await checked(client, "searchLocalArchives", asked)
    (hit,) = found["results"]
    assert hit["document"]["path"] == "notes/mesh.md"
    assert [cited["targetId"] for cited in hit["citations"]["citing"]] == [NETS.id]
    assert len(found["citationGraph"]["nodes"]) == 2
    assert found["metadata"]["totalResults"] == 1
    assert f"1. {MESH.id} Mesh size [notes/mesh.md, 2025-05-20] (score 1)" in text
    assert "<mark>fish</mark>" in text
    assert "(line 1)" in text
    assert f"cites {NETS.id} nets.md" in text
    assert "citation graph: 2 nodes, 1 edges" in text
    assert 'tags: "fish" (1)' in text


@pytest.mark.usefixtures("filled")
async def test_pages_follow_each_other_by_the_cursor_in_the_text(server: OperationServer) -> None:
    async with Client(server) as client:
        first, text = await checked(client, "searchLocalArchives", {"query": "*", "limit": 1})
        assert text.splitlines()[-1] == f"next_cursor: {first['next_cursor']}"
        asked = {"query": "*", "limit": 1, "cursor": first["next_cursor"]}
        second, _ = await checked(client, "searchLocalArchives", asked)
    assert {page["results"][0]["document"]["id"] for page in (first, second)} == {NETS.id, MESH.id}


@pytest.mark.usefixtures("filled")
async def test_a_document_is_read_listed_cited_and_deleted(server: OperationServer) -> None:
    async with Client(server) as client:
        got, text = await checked(client, "archive_get_document", {"id": NETS.id})
        assert got["document"]["authors"] == ["Maren Holt"]
        assert got["content"] in text
        assert "authors: Maren Holt" in text
        listed, text = await checked(client, "archive_list", {"filters": {"path": {"prefix": "notes/"}}})
        assert [document["id"] for document in listed["documents"]] == [MESH.id, NETS.id]
        assert text.startswith("2 documents, 2 shown\n")
        cited, text = await checked(client, "cite", {"id": NETS.id})
        assert text == f"{NETS.id} as bibtex:\n{cited['citation']}"
        cited, text = await checked(client, "cite", {"id": NETS.id, "format": "csl-json"})
        assert cited["citation"]["title"] == "Trawl nets"
        deleted, text = await checked(client, "archive_delete", {"ids": [NETS.id]})
        assert (deleted["deleted"], text) == (1, "1 deleted")
        gone, text = await checked(client, "archive_get_document", {"id": NETS.id})
    assert (gone["success"], gone["error_category"]) == (False, "not_found")
    assert "Or archive_list" in text


async def test_results_are_bounded_unless_the_caller_says_otherwise(server: OperationServer, library: Library) -> None:
    long = paper("notes/long.md", "word " * 20_000)
    await Shelf(library, MAIN).put(long)
    async with Client(server) as client:
        bounded, _ = await checked(client, "archive_get_document", {"id": long.id})
        whole, _ = await checked(client, "archive_get_document", {"id": long.id, "max_chars": 1_000_000})
    assert len(bounded["content"]) <= 20_000 < len(whole["content"])
    assert (bounded["next_offset"], whole["next_offset"]) == (len(bounded["content"]), None)


@pytest.mark.usefixtures("filled")
async def test_a_wrong_filter_is_a_failure_with_the_contracts_words(server: OperationServer) -> None:
    async with Client(server) as client:
        failed, _ = await checked(client, "searchLocalArchives", {"query": "x", "filters": {"autor": "Holt"}})
    assert failed["success"] is False
    assert failed["error"].startswith("Failed to search local archives: ")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"type": CANARY}, "object of type folder"),
        ({"type": "folder"}, "source.folder.path: is required"),
        ({"type": "folder", "path": "/x", CANARY: 1}, "unknown"),
        ({"type": "upload", "staged": CANARY}, "object of type folder"),
        (CANARY, "object of type folder"),
    ],
)
async def test_a_source_that_is_none_is_refused_without_repeating_it(
    server: OperationServer, source: object, said: str
) -> None:
    async with Client(server) as client:
        refused = await client.call_tool("archive_ingest", {"source": source})
    assert refused.is_error
    assert said in text_of(refused)
    assert CANARY not in text_of(refused)


async def test_a_folder_outside_of_the_roots_is_a_failure_that_says_what_to_do(server: OperationServer) -> None:
    async with Client(server) as client:
        asked = {"source": {"type": "folder", "path": "/srv/notes"}}
        failed, text = await checked(client, "archive_ingest", asked)
    assert (failed["success"], failed["error_category"]) == (False, "not_configured")
    assert "TRAWL_INGEST_ROOTS" in text


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_document_of_the_archive_is_read_by_its_address(server: OperationServer, mode: str) -> None:
    async with Client(server, mode=mode) as client:
        (contents,) = (await client.read_resource(f"doc://archive/{NETS.id}")).contents
        assert isinstance(contents, TextResourceContents)
        assert contents.text.endswith("A trawl is a net that a ship tows.")
        assert contents.mime_type == "text/plain"
        with pytest.raises(MCPError, match="searchLocalArchives and archive_list find ids") as missing:
            await client.read_resource(f"doc://archive/{CANARY}")
        with pytest.raises(MCPError, match="search_index finds ids"):
            await client.read_resource(f"doc://default/{CANARY}")
    assert missing.value.error.code == -32602
    assert CANARY not in missing.value.error.message


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("typed", "ids"),
    [("", {NETS.id, MESH.id}), ("d_", {NETS.id, MESH.id}), (NETS.id[:9], {NETS.id}), ("Mesh size", {MESH.id}),
     ("whale", set()), (" ", set()), ("-", set())],
)  # fmt: skip
async def test_ids_of_the_archive_are_completed_by_their_beginning_or_by_words(
    server: OperationServer, typed: str, ids: set[str]
) -> None:
    template = ResourceTemplateReference(uri="doc://archive/{id}")
    prompt = PromptReference(name="cite_document")
    async with Client(server) as client:
        for reference in (template, prompt):
            found = (await client.complete(reference, {"name": "id", "value": typed})).completion
            assert set(found.values) == ids
            assert (found.total, found.has_more) == (len(ids), False)
