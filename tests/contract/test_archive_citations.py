"""Citations on both engines: what resolves, what resolves later, and the graph's bounds."""

import asyncio

import pytest

from indexer.archives.parsed import Link
from indexer.library import Library
from tests.contract.caller import new_caller
from tests.contract.shelf import Shelf, edges, page, paper


@pytest.mark.parametrize(
    ("link", "confidence"),
    [
        (Link("../b/target.md", "link", 0), 1.0),
        (Link("../b/target.md#part", "link", 0), 1.0),
        (Link("/b/target.md", "link", 0), 1.0),
        (Link("https://example.com/t", "link", 0), 1.0),
        (Link("http://www.example.com/t/?utm_source=x#top", "link", 0), 0.9),
        (Link("https://doi.org/10.1000/ABC", "link", 0), 1.0),
        (Link("10.1000/abc", "doi", 0), 1.0),
        (Link("The  target", "wiki", 0), 0.6),
        (Link("../b/target", "wiki", 0), 1.0),
    ],
)
async def test_every_kind_of_link_resolves_with_its_confidence(shelf: Shelf, link: Link, confidence: float) -> None:
    target = paper(
        "root/b/target.md", "words", title="The Target", canonical_url="https://example.com/t", doi="10.1000/abc"
    )
    await shelf.put(target, paper("root/a/source.md", "origin", title="Source", links=(link,)))

    assert edges(await shelf.graph("origin")) == {("Source", "The Target", confidence)}


async def test_an_arxiv_id_resolves_to_the_page_fetched_from_there(shelf: Shelf) -> None:
    await shelf.put(
        page("https://arxiv.org/abs/2101.00001v2", "words", title="Preprint"),
        paper("a/source.md", "origin", title="Source", links=(Link("2101.00001", "arxiv", 0),)),
    )

    assert edges(await shelf.graph("origin")) == {("Source", "Preprint", 1.0)}


async def test_the_best_match_wins_over_a_loosened_one(shelf: Shelf) -> None:
    await shelf.put(
        page("https://example.com/t", "words", title="Exact"),
        page("http://www.example.com/t/", "words", title="Loosened"),
        paper("a/source.md", "origin", title="Source", links=("https://example.com/t",)),
    )

    assert edges(await shelf.graph("origin")) == {("Source", "Exact", 1.0)}
    assert edges(await shelf.graph("loosened")) == set()


async def test_a_title_that_two_documents_have_resolves_to_neither(shelf: Shelf) -> None:
    twins = [paper(f"a/{name}.md", "words", title="Twin") for name in ("x", "y")]
    await shelf.put(*twins, paper("b/source.md", "origin", title="Source", links=(Link("Twin", "wiki", 0),)))

    found = await shelf.search("origin", includeCitations=True)

    [citation] = found["results"][0]["citations"]["citing"]
    assert (citation["targetId"], citation["targetUrl"]) == (None, "Twin")


async def test_a_target_that_arrives_later_resolves_then_and_goes_back_to_its_address_when_deleted(
    shelf: Shelf,
) -> None:
    url = "https://example.com/late"
    await shelf.put(paper("a/source.md", "origin", title="Source", links=(url,)))
    assert edges(await shelf.graph("origin")) == {("Source", url, 1.0)}

    late = page(url, "words", title="Late")
    await shelf.put(late)
    assert edges(await shelf.graph("origin")) == {("Source", "Late", 1.0)}

    assert await shelf.delete(ids=[late.id]) == 1
    graph = await shelf.graph("origin")
    assert edges(graph) == {("Source", url, 1.0)}
    assert {"id": url, "label": url, "type": "target"} in graph["nodes"]


async def test_a_document_knows_who_cites_it(shelf: Shelf) -> None:
    cited = paper("a/cited.md", "famous", title="Cited")
    citers = [paper(f"a/{n}.md", "words", title=f"Citer {n}", links=("cited.md",)) for n in range(3)]
    await shelf.put(cited, *citers)

    [hit] = (await shelf.search("famous", includeCitations=True))["results"]

    assert {citation["sourceId"] for citation in hit["citations"]["cited"]} == {citer.id for citer in citers}
    assert {citation["targetId"] for citation in hit["citations"]["cited"]} == {cited.id}
    assert hit["citations"]["citing"] == []


async def test_the_graph_follows_both_directions_to_its_depth(shelf: Shelf) -> None:
    chain = [
        paper(f"a/{n}.md", f"link{n}only", title=f"Step {n}", links=(f"{n + 1}.md",) if n < 6 else ()) for n in range(7)
    ]
    await shelf.put(*chain)

    for depth in (1, 2, 3):
        steps = {node["label"] for node in (await shelf.graph("link3only", depth))["nodes"]}
        assert steps == {f"Step {n}" for n in range(3 - depth, 4 + depth)}


async def test_one_pair_has_one_edge_with_the_highest_confidence(shelf: Shelf) -> None:
    target = page("https://example.com/t", "words", title="Target")
    links = ("http://www.example.com/t", "https://example.com/t", "https://example.com/t?utm_source=x")
    await shelf.put(target, paper("a/source.md", "origin", title="Source", links=links))

    assert (await shelf.graph("origin"))["edges"] == [
        {"from": paper("a/source.md").id, "to": target.id, "confidence": 1.0}
    ]


async def test_a_document_that_cites_itself_has_no_edge_to_itself(shelf: Shelf) -> None:
    await shelf.put(paper("a/self.md", "origin", title="Self", links=("self.md", "./self.md#part")))

    assert (await shelf.graph("origin"))["edges"] == []


async def test_citations_and_graph_are_bounded_and_say_so(shelf: Shelf) -> None:
    links = tuple(f"https://example.com/{n}" for n in range(260))
    await shelf.put(paper("a/source.md", "origin", title="Source", links=links))

    found = await shelf.search("origin", includeCitations=True)

    citations = found["results"][0]["citations"]
    assert (len(citations["citing"]), citations["truncated"]) == (50, True)
    assert (len(found["citationGraph"]["nodes"]), found["citationGraph"]["truncated"]) == (200, True)


async def test_teams_never_see_each_others_citations(library: Library, shelf: Shelf) -> None:
    stranger = Shelf(library, new_caller(library).principal)
    await stranger.put(page("https://example.com/t", "words", title="Secret", links=("https://example.com/source",)))
    await shelf.put(paper("a/source.md", "origin", title="Source", links=("https://example.com/t",)))

    assert edges(await shelf.graph("origin", 3)) == {("Source", "https://example.com/t", 1.0)}
    await asyncio.to_thread(stranger.remove)
