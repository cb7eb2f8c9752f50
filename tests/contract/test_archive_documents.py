"""Getting, listing, deleting and citing archive documents, and what workers rely on, on both engines."""

import asyncio
from dataclasses import replace

from indexer.archives.incoming import HttpCacheHeaders
from indexer.archives.ingest import delete_documents, scan_root, unchanged
from indexer.library import Library
from tests.contract.caller import failure_of, new_caller
from tests.contract.shelf import Shelf, page, paper
from workers.ingest.archive import validators_of


async def test_a_document_comes_back_in_parts_that_add_up(shelf: Shelf) -> None:
    arrival = paper("a/long.md", "word " * 1_000, title="Long", authors=("Ada",), tags=("x",), doi="10.1/x")
    await shelf.put(arrival)

    content, offset = "", 0
    while offset is not None:
        part = await shelf.get(arrival.id, offset=offset, max_chars=1_500)
        content, offset = content + part["content"], part["next_offset"]

    assert content == "Long\n\n" + "word " * 1_000
    assert part["total_chars"] == len(content)
    assert part["document"] | {"revision": 0} == {
        "id": arrival.id,
        "title": "Long",
        "path": "a/long.md",
        "source": "research",
        "date": "2025-05-20",
        "url": None,
        "authors": ["Ada"],
        "tags": ["x"],
        "language": None,
        "doi": "10.1/x",
        "revision": 0,
    }


async def test_an_unknown_document_is_a_failure_that_says_what_to_do(shelf: Shelf) -> None:
    for call in (shelf.get("d_unknown"), shelf.cite("d_unknown", "bibtex")):
        assert (await failure_of(call))["error_category"] == "not_found"


async def test_documents_are_listed_by_path_in_pages(shelf: Shelf) -> None:
    await shelf.put(*(paper(f"a/{n:02}.md") for n in range(25)))

    first = await shelf.list(limit=20)
    second = await shelf.list(limit=20, cursor=first["next_cursor"])

    paths = [document["path"] for document in (*first["documents"], *second["documents"])]
    assert paths == [f"a/{n:02}.md" for n in range(25)]
    assert (first["total"], second["next_cursor"]) == (25, None)


async def test_documents_are_deleted_by_id_or_by_filter_and_by_nothing_else(shelf: Shelf) -> None:
    arrivals = [paper(f"{folder}/{n}.md", "sea") for folder in ("a", "b") for n in range(3)]
    await shelf.put(*arrivals)

    assert await shelf.delete(ids=[arrivals[0].id, "d_unknown"]) == 1
    assert await shelf.delete(filters={"path": {"prefix": "b/"}}) == 3
    assert sorted(await shelf.paths("sea")) == ["a/1.md", "a/2.md"]
    for wrong in ({}, {"filters": {}}, {"ids": [], "filters": {"path": "x"}}):
        assert (await failure_of(shelf.delete(**wrong)))["error_category"] == "validation"
    assert (await failure_of(shelf.delete(filters={"unknown": 1})))["error_category"] == "validation"
    assert len(await shelf.paths("sea")) == 2


async def test_a_reference_is_written_as_bibtex_and_as_csl(shelf: Shelf) -> None:
    arrival = page(
        "https://example.com/nets", title="Nets & ropes", authors=("Ada Lovelace", "Bo"), date="2021-03-04", tags=("x",)
    )
    await shelf.put(arrival)

    text = await shelf.cite(arrival.id, "bibtex")
    assert text.startswith("@misc{lovelace2021nets,\n")
    assert "  title = {Nets \\& ropes}," in text
    assert "  author = {Ada Lovelace and Bo}," in text
    assert "  url = {https://example.com/nets}," in text
    assert await shelf.cite(arrival.id, "csl-json") == {
        "id": arrival.id,
        "type": "webpage",
        "title": "Nets & ropes",
        "author": [{"family": "Lovelace", "given": "Ada"}, {"literal": "Bo"}],
        "issued": {"date-parts": [[2021, 3, 4]]},
        "URL": "https://example.com/nets",
        "keyword": "x",
    }


async def test_only_the_very_same_version_counts_as_unchanged(library: Library, shelf: Shelf) -> None:
    one, two = paper("a/1.md", "first"), paper("a/2.md", "second")
    await shelf.put(one, two)
    team = shelf.principal.team

    versions = {one.id: one.version, two.id: "another", paper("a/3.md").id: one.version}
    assert await unchanged(library, team, versions) == {one.id}
    assert await unchanged(library, new_caller(library).principal.team, versions) == set()


async def test_an_older_write_loses_and_counts_as_done(library: Library, shelf: Shelf) -> None:
    older = library.clock.next()
    newer = library.clock.next()
    await shelf.put(paper("a/1.md", "newer"), revision=newer)

    [lost] = await shelf.put(paper("a/1.md", "older"), revision=older)

    assert lost.status == "superseded"
    assert await shelf.paths("newer", fuzzy=False) == ["a/1.md"]
    assert await shelf.paths("older", fuzzy=False) == []


async def test_a_late_write_does_not_bring_back_what_was_deleted_since(library: Library, shelf: Shelf) -> None:
    planned = library.clock.next()
    arrival = paper("a/1.md", "sea")
    await shelf.put(arrival)
    await shelf.delete(ids=[arrival.id])

    await shelf.put(arrival, revision=planned)

    assert await shelf.paths("sea") == []


async def test_a_mirror_sees_all_of_its_root_and_nothing_else(library: Library, shelf: Shelf) -> None:
    mine = [paper(f"mine/{n}.md") for n in range(5)]
    await shelf.put(*mine, paper("other/1.md"))
    team = shelf.principal.team

    seen = [row async for rows in scan_root(library, team, "mine") for row in rows]
    assert sorted(seen) == sorted((arrival.id, arrival.path) for arrival in mine)
    removed = await asyncio.to_thread(delete_documents, library, team, [mine[0].id], library.clock.next())
    assert removed == 1
    assert len((await shelf.list())["documents"]) == 5


async def test_what_a_page_can_be_asked_by_is_kept_with_it(shelf: Shelf) -> None:
    validators = HttpCacheHeaders(url="https://example.com/b", etag='W/"ü"', modified=None, parser="1")
    asked, silent = page("https://example.com/a", "sea"), page("https://example.com/c", "sea")
    team = shelf.principal.team
    assert await asyncio.to_thread(validators_of, shelf.library, team, asked.id) is None

    await shelf.put(replace(asked, validators=validators), silent)

    assert await asyncio.to_thread(validators_of, shelf.library, team, asked.id) == validators
    assert await asyncio.to_thread(validators_of, shelf.library, team, silent.id) is None
    await shelf.delete(ids=[asked.id])
    assert await asyncio.to_thread(validators_of, shelf.library, team, asked.id) is None
