"""What an archive holds, by where it came from, on both engines."""

from dataclasses import replace

from indexer.archives.incoming import IncomingDocument
from indexer.archives.overview import ArchiveContents, archive_contents
from tests.contract.caller import Caller
from tests.contract.shelf import Shelf, page, paper


async def contents(shelf: Shelf) -> ArchiveContents:
    return await archive_contents(shelf.library, shelf.principal)


def counted(held: ArchiveContents) -> list[tuple[str, int]]:
    return [(origin.name, origin.documents) for origin in held.origins]


def of_root(root: str, *paths: str) -> list[IncomingDocument]:
    return [replace(paper(path), root=root) for path in paths]


async def test_documents_are_counted_by_origin_the_largest_first(shelf: Shelf, other: Caller) -> None:
    pages = [page(f"https://example.org/{number}") for number in range(2)]
    await shelf.put(*of_root("a-digest", "notes/1.md", "notes/2.md", "notes/3.md"), *pages)
    await shelf.put(*of_root("s3:bücket", "bücket/1.md", "bücket/2.md"))
    await Shelf(other.library, other.principal).put(*of_root("of others", "theirs/1.md"))
    held = await contents(shelf)
    assert held.documents == 7
    assert counted(held) == [("a-digest", 3), ("host", 2), ("s3:bücket", 2)]
    assert [origin.sample and origin.sample["source"] for origin in held.origins] == ["research", "url", "research"]
    await shelf.delete(ids=[pages[0].id])
    assert counted(await contents(shelf)) == [("a-digest", 3), ("s3:bücket", 2), ("host", 1)]
    Shelf(other.library, other.principal).remove()


async def test_the_sample_is_the_document_with_the_newest_date(shelf: Shelf) -> None:
    old, new = of_root("a-digest", "notes/old.md", "notes/new.md")
    await shelf.put(replace(new, fallback_date="2025-06-01"), replace(old, fallback_date="2025-05-01"))
    (origin,) = (await contents(shelf)).origins
    assert origin.sample is not None
    assert origin.sample["path"] == "notes/new.md"


async def test_an_archive_without_documents_has_no_origin(shelf: Shelf) -> None:
    assert await contents(shelf) == ArchiveContents(0, ())
    (note,) = of_root("a-digest", "notes/1.md")
    await shelf.put(note)
    await shelf.delete(ids=[note.id])
    held = await contents(shelf)
    assert (held.documents, list(held.origins)) == (0, [])


async def test_two_hundred_origins_at_most_are_counted_and_all_documents(shelf: Shelf) -> None:
    await shelf.put(*(document for number in range(203) for document in of_root(f"r{number}", f"n/{number}.md")))
    await shelf.put(*of_root("largest", "l/1.md", "l/2.md"))
    held = await contents(shelf)
    assert held.documents == 205
    assert len(held.origins) == 200
    assert counted(held)[0] == ("largest", 2)


async def test_a_very_long_origin_is_cut_and_counted(shelf: Shelf) -> None:
    await shelf.put(*of_root("x" * 300, "notes/1.md"), *of_root("x" * 299, "notes/2.md", "notes/3.md"))
    held = await contents(shelf)
    assert counted(held) == [("x" * 256 + "…", 2), ("x" * 256 + "…", 1)]
    assert [origin.sample for origin in held.origins] == [None, None]
