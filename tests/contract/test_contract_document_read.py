"""`document_read` on both engines: what is marked of a document, where it stands in the original, and its parts."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from indexer.archives.parsed import Place
from mcp_server.document_ids import DocumentKey
from mcp_server.features.documents.operations import READ_DOCUMENT
from mcp_server.run import run
from mcp_server.services import Services
from tests.contract.caller import Caller, failure_of
from tests.contract.shelf import Shelf, page, paper


@dataclass(frozen=True)
class Desk:
    """The operation for one team, with an archive and indices."""

    services: Services
    caller: Caller
    shelf: Shelf

    async def read(self, key: DocumentKey, query: str | None = None, **arguments: Any) -> Any:
        given = {"id": key.encode(), "query": query, **arguments}
        return await run(READ_DOCUMENT, self.services, self.caller.principal, given)

    async def archived(self, id_: str, query: str | None = None, **arguments: Any) -> Any:
        return await self.read(DocumentKey("archive", None, id_), query, **arguments)

    async def indexed(self, id_: str, query: str | None = None, index: str = "default", **arguments: Any) -> Any:
        return await self.read(DocumentKey("indices", index, id_), query, **arguments)


@pytest.fixture
async def desk(services: Services, caller: Caller) -> AsyncIterator[Desk]:
    shelf = Shelf(services.library, caller.principal)
    yield Desk(services, caller, shelf)
    await asyncio.to_thread(shelf.remove)


def shown(result: Any) -> list[str]:
    """Return the marked words of the part that came."""
    start = result["offset"]
    return [result["text"][first - start : last - start] for first, last in result["matches"]]


TEXT = (
    "Trawlers tow nets. A trawl net is a net: the netting, not the Net-work. Rate limiting beats rate\nlimiters; "
    "limiting a rate does not."
)


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("nets", ["nets", "net", "net", "netting", "Net"]),
        ('"rate limiting"', ["Rate limiting"]),
        ("rate-limiters", ["rate\nlimiters"]),
        ("trawl*", ["Trawlers", "trawl"]),
        ("habrour trwal", ["trawl"]),
        ("+trawl -nets", ["trawl"]),
        ("TRAWL not", ["trawl", "not", "not"]),
        ("*", []),
        ("-nets", []),
        ("whale", []),
        (" ", []),
        (None, []),
    ],
)
async def test_a_document_is_marked_as_a_search_would_mark_it(desk: Desk, query: str | None, marked: list[str]) -> None:
    note = paper("notes/nets.md", TEXT, title="Gear")
    await desk.shelf.put(note)
    await desk.caller.fill({"nets": TEXT})

    for result in (await desk.archived(note.id, query), await desk.indexed("nets", query)):
        assert shown(result) == marked
        assert result["matches_total"] == len(marked)
        assert result["matches"] == sorted(result["matches"])


async def test_only_words_that_occur_nowhere_are_corrected(desk: Desk) -> None:
    await desk.caller.fill({"one": "an otter and the other", "two": "an outer trawl"})

    assert shown(await desk.indexed("one", "otter")) == ["otter"]
    assert shown(await desk.indexed("one", "ottr trwal")) == ["otter"]
    assert shown(await desk.indexed("two", "ottr trwal")) == ["trawl"]


async def test_a_document_is_marked_by_the_analysis_of_its_own_index(desk: Desk) -> None:
    await desk.caller.create("exact", tokenizer={"lowercase": False, "language": "none", "min_length": 1})
    await desk.caller.create("russian", tokenizer={"language": "russian"})
    await desk.caller.fill({"a": "Net nets net a"}, "exact")
    await desk.caller.fill({"a": "Лодка для лодки"}, "russian")

    assert shown(await desk.indexed("a", "net a", "exact")) == ["net", "a"]
    assert shown(await desk.indexed("a", "лодкой", "russian")) == ["Лодка", "лодки"]


async def test_positions_count_code_points(desk: Desk) -> None:
    text = "🐟🐟 𓆟 net\u0301 İnet 🐟net-日本 net"
    await desk.caller.fill({"fish": text})

    result = await desk.indexed("fish", "net 本")

    assert shown(result) == ["net", "本", "net"]
    last = len(result["text"])
    assert result["matches"][-1] == (last - 3, last)
    assert result["total_chars"] == last == len(result["text"])


async def test_parts_follow_each_other_and_each_match_is_whole_in_one(desk: Desk) -> None:
    text = "".join(f"Machine learning, part {number}: 🐟 machine and learning.\n" for number in range(400))
    await desk.caller.fill({"long": text})
    whole = await desk.indexed("long", '"machine learning"')

    texts, matches, offset = [], [], 0
    while offset is not None:
        part = await desk.indexed("long", '"machine learning"', offset=offset, max_chars=1_000)
        assert (part["offset"], part["total_chars"], part["matches_total"]) == (offset, len(text), 400)
        assert all(offset <= first < last <= offset + len(part["text"]) for first, last in part["matches"])
        texts.append(part["text"])
        matches += part["matches"]
        offset = part["next_offset"]

    assert "".join(texts) == whole["text"] == text
    assert len(texts) > 10
    assert matches == whole["matches"]
    assert (whole["next_offset"], len(matches)) == (None, 400)


async def test_no_more_than_two_thousand_matches_come_and_all_are_counted(desk: Desk) -> None:
    await desk.caller.fill({"much": "reef " * 5_000})

    first = await desk.indexed("much", "reefs")
    assert (len(first["matches"]), first["matches_total"]) == (2_000, 5_000)
    last = await desk.indexed("much", "reefs", offset=24_000)
    assert (last["matches"][0], len(last["matches"])) == ((24_000, 24_004), 200)


async def test_matches_are_looked_for_in_the_first_million_characters(desk: Desk) -> None:
    await desk.caller.fill({"huge": "reef " + "word " * 200_000 + "reef"})

    result = await desk.indexed("huge", "reef")

    assert (result["matches"], result["matches_total"]) == ([(0, 4)], 1)
    assert result["total_chars"] > 1_000_000


async def test_a_document_of_the_archive_says_where_its_text_stands_in_the_original(desk: Desk) -> None:
    text = "First words.\n\nMore words.\n\nThe cod end.\n\nThe last page."
    places = (
        Place(0, page=1, heading="Nets", line=3),
        Place(14, page=1, heading="Nets", line=5),
        Place(27, page=1, heading="Cod end", line=8),
        Place(41, page=2, heading="Cod end", line=1),
    )
    note = paper("notes/nets.md", text, title="Gear", places=places)
    await desk.shelf.put(note)

    result = await desk.archived(note.id)

    begins = [result["text"][place["start"] :].partition(" ")[0] for place in result["places"]]
    assert begins == ["First", "More", "The", "The"]
    assert result["places"][1] == {"start": 20, "page": 1, "heading": "Nets", "line": 5}
    ahead = await desk.archived(note.id, offset=40)
    assert [place["start"] for place in ahead["places"]] == [6, 33, 47]


async def test_thousands_of_places_are_thinned(desk: Desk) -> None:
    paragraphs = [f"Paragraph {number}." for number in range(9_000)]
    starts = [sum(len(each) + 2 for each in paragraphs[:number]) for number in range(0, 9_000, 10)]
    places = tuple(Place(start, page=number) for number, start in enumerate(starts, 1))
    more = tuple(Place(number, line=number) for number in range(20_000))
    many, lines = (
        paper("a/many.md", "\n\n".join(paragraphs), places=places),
        paper("a/lines.md", "word " * 4_000, places=more),
    )
    await desk.shelf.put(many, lines)

    assert len((await desk.archived(many.id, max_chars=1_000))["places"]) == 900
    thinned = (await desk.archived(lines.id))["places"]
    assert 1_000 < len(thinned) <= 2_001
    assert [place["start"] for place in thinned] == sorted({place["start"] for place in thinned})


async def test_what_is_known_of_a_document_comes_with_it(desk: Desk) -> None:
    await desk.shelf.put(page("https://example.org/reef", "A reef.", title="Reef", authors=("Ada",)))
    await desk.caller.fill({"a/b c": ("Kelp", {"title": "On kelp", "url": "javascript:alert(1)", "year": 2020})})
    id_ = page("https://example.org/reef").id

    archived = await desk.archived(id_)
    indexed = await desk.indexed("a/b c")

    assert (archived["id"], archived["document_id"]) == (DocumentKey("archive", None, id_).encode(), id_)
    assert (archived["source"], archived["index_name"], archived["title"]) == ("archive", None, "Reef")
    assert (archived["url"], archived["metadata"]["authors"]) == ("https://example.org/reef", ["Ada"])
    assert (indexed["document_id"], indexed["source"], indexed["index_name"]) == ("a/b c", "indices", "default")
    assert (indexed["title"], indexed["url"], indexed["metadata"]["year"]) == ("On kelp", None, 2020)
    assert indexed["places"] == []
    assert "sandbox" not in indexed


async def test_metadata_leaves_room_for_the_text(desk: Desk) -> None:
    await desk.caller.fill({"one": ("word " * 1_000, {"notes": "n" * 50_000})})

    result = await desk.indexed("one", max_chars=2_000)

    assert len(result["metadata"]["notes"]) < 1_000
    assert 500 < len(result["text"]) < 2_000


async def test_what_is_not_there_is_a_failure_that_says_what_to_do(desk: Desk) -> None:
    await desk.caller.fill({"one": "A reef"})

    for call, category in (
        (desk.indexed("none"), "not_found"),
        (desk.indexed("one", index="nowhere"), "not_found"),
        (desk.archived("d_none", "reef"), "not_found"),
        (desk.indexed("one", offset=7), "not_found"),
        (desk.indexed("one", "reef " * 1_000), "validation"),
    ):
        assert (await failure_of(call))["error_category"] == category
    assert (await desk.indexed("one", offset=6))["text"] == ""


async def test_a_document_of_another_team_is_not_found(desk: Desk, other: Caller) -> None:
    await other.fill({"secret": "A reef"})

    assert (await failure_of(desk.indexed("secret", "reef")))["error_category"] == "not_found"
