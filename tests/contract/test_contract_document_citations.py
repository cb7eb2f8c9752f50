"""`document_citations` on both engines: both directions with titles, the graph, and addresses nobody has read."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from indexer.archives.parsed import Link
from indexer.tenancy import IndexName
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.document_ids import DocumentKey
from mcp_server.features.documents.operations import READ_CITATIONS
from mcp_server.run import run
from mcp_server.services import Services
from tests.contract.caller import Caller, failure_of
from tests.contract.shelf import Shelf, page, paper


@dataclass(frozen=True)
class Desk:
    """The operation for one team, with an archive."""

    services: Services
    caller: Caller
    shelf: Shelf

    async def citations(self, id_: str, **arguments: Any) -> Any:
        given = {"id": public(id_), **arguments}
        return await run(READ_CITATIONS, self.services, self.caller.principal, given)


@pytest.fixture
async def desk(services: Services, caller: Caller) -> AsyncIterator[Desk]:
    shelf = Shelf(services.library, caller.principal)
    yield Desk(services, caller, shelf)
    await asyncio.to_thread(shelf.remove)


def public(id_: str) -> str:
    return DocumentKey("archive", None, id_).encode()


def labels(graph: Any) -> set[tuple[str, str]]:
    """Edges by the labels of their ends."""
    named = {node["id"]: node["label"] for node in graph["nodes"]}
    return {(named[edge["from"]], named[edge["to"]]) for edge in graph["edges"]}


async def test_both_directions_have_titles_addresses_and_contexts(desk: Desk) -> None:
    site = page("https://example.com/mesh", "Mesh.", title="Mesh size")
    middle = paper("a/nets.md", "See the mesh, and the rest.", title="Nets", links=("https://example.com/mesh",))
    citer = paper("a/gear.md", "As nets show.", title="Gear", links=("nets.md",))
    await desk.shelf.put(site, middle, citer)

    result = await desk.citations(middle.id)

    assert result["cites"] == [
        {
            "id": public(site.id),
            "title": "Mesh size",
            "url": "https://example.com/mesh",
            "context": "See the mesh, and the rest.",
            "confidence": 1.0,
        }
    ]
    assert result["cited_by"] == [
        {"id": public(citer.id), "title": "Gear", "url": None, "context": "As nets show.", "confidence": 1.0}
    ]
    assert (result["id"], result["truncated"]) == (public(middle.id), False)
    assert result["graph"]["nodes"][0] == {"id": public(middle.id), "label": "Nets", "kind": "root", "url": None}
    assert labels(result["graph"]) == {("Nets", "Mesh size"), ("Gear", "Nets")}
    assert {node["kind"] for node in result["graph"]["nodes"][1:]} == {"document"}
    assert {node["url"] for node in result["graph"]["nodes"]} == {None, "https://example.com/mesh"}


async def test_what_nobody_has_read_is_its_address(desk: Desk) -> None:
    url = "https://example.com/unread"
    await desk.shelf.put(paper("a/nets.md", "words", title="Nets", links=(url, Link("10.1000/ABC", "doi", 0))))

    result = await desk.citations(paper("a/nets.md").id)

    found = {(each["id"], each["title"], each["url"]) for each in result["cites"]}
    doi = "https://doi.org/10.1000/ABC"
    assert found == {(None, url, url), (None, doi, doi)}
    assert {"id": url, "label": url, "kind": "address", "url": url} in result["graph"]["nodes"]
    assert {(edge["from"], edge["to"]) for edge in result["graph"]["edges"]} == {
        (public(paper("a/nets.md").id), url),
        (public(paper("a/nets.md").id), doi),
    }


async def test_relative_links_of_pages_lead_to_the_page_s_own_host(desk: Desk) -> None:
    one = page("https://one.example/start", "words", title="One", links=("about.html",))
    two = page("https://two.example/start", "words", title="Two", links=("about.html", "https://one.example/start"))
    await desk.shelf.put(one, two)

    result = await desk.citations(one.id, depth=2)

    assert [each["url"] for each in result["cites"]] == ["https://one.example/about.html"]
    assert labels(result["graph"]) == {
        ("One", "https://one.example/about.html"),
        ("Two", "One"),
        ("Two", "https://two.example/about.html"),
    }


async def test_an_address_that_is_none_of_the_web_is_no_link(desk: Desk) -> None:
    hostile = Link("javascript:alert(1)", "wiki", 0)
    await desk.shelf.put(paper("a/nets.md", "words", title="Nets", links=("../a/missing.md", hostile)))

    result = await desk.citations(paper("a/nets.md").id)

    assert {each["title"] for each in result["cites"]} == {"../a/missing.md", "javascript:alert(1)"}
    assert {each["url"] for each in result["cites"]} == {None}
    assert {node["url"] for node in result["graph"]["nodes"]} == {None}


async def test_the_graph_goes_to_its_depth_and_the_lists_stay_direct(desk: Desk) -> None:
    chain = [paper(f"a/{n}.md", title=f"Step {n}", links=(f"{n + 1}.md",) if n < 6 else ()) for n in range(7)]
    await desk.shelf.put(*chain)

    for depth in (1, 2, 3):
        result = await desk.citations(chain[3].id, depth=depth)
        assert {node["label"] for node in result["graph"]["nodes"]} == {
            f"Step {n}" for n in range(3 - depth, 4 + depth)
        }
        assert [node["label"] for node in result["graph"]["nodes"] if node["kind"] == "root"] == ["Step 3"]
        assert [each["title"] for each in result["cites"]] == ["Step 4"]
        assert [each["title"] for each in result["cited_by"]] == ["Step 2"]
    for wrong in (0, 4):
        assert (await failure_of(desk.citations(chain[3].id, depth=wrong)))["error_category"] == "validation"


async def test_lists_and_graph_are_bounded_and_say_so(desk: Desk) -> None:
    links = tuple(f"https://example.com/{n}" for n in range(260))
    await desk.shelf.put(paper("a/source.md", "origin", title="Source", links=links))

    result = await desk.citations(paper("a/source.md").id)

    assert (len(result["cites"]), result["truncated"]) == (200, True)
    assert (len(result["graph"]["nodes"]), result["graph"]["truncated"]) == (200, True)


async def test_documents_of_other_sources_have_no_citations(desk: Desk) -> None:
    await desk.caller.fill({"one": "A reef"})
    for key in (DocumentKey("indices", "default", "one"), DocumentKey("osdu", None, "x:y:1")):
        result: Any = await run(READ_CITATIONS, desk.services, desk.caller.principal, {"id": key.encode()})
        assert result == {
            "success": True,
            "id": key.encode(),
            "cites": [],
            "cited_by": [],
            "truncated": False,
            "graph": {"nodes": [], "edges": [], "truncated": False},
        }


async def test_what_the_archive_lacks_is_not_found_and_what_others_have_is_not_told(desk: Desk, other: Caller) -> None:
    assert (await failure_of(desk.citations("d_none")))["error_category"] == "not_found"
    theirs = Shelf(desk.services.library, other.principal)
    secret = paper("a/secret.md", "words", title="Secret", links=("mine.md",))
    mine = paper("a/mine.md", "words", title="Mine")
    await theirs.put(secret)
    await desk.shelf.put(mine)
    try:
        assert (await desk.citations(mine.id, depth=3))["cited_by"] == []
        assert (await failure_of(desk.citations(secret.id)))["error_category"] == "not_found"
    finally:
        await asyncio.to_thread(theirs.remove)


async def test_rights_to_the_archive_are_needed(desk: Desk) -> None:
    note = paper("a/nets.md", "words", title="Nets")
    await desk.shelf.put(note)
    caller = desk.caller.principal
    for limited in (
        replace(caller, scopes=ALL_SCOPES - {"search"}),
        replace(caller, indices=frozenset({IndexName("default")})),
    ):
        call = run(READ_CITATIONS, desk.services, limited, {"id": public(note.id)})
        assert (await failure_of(call))["error_category"] == "authorization"
