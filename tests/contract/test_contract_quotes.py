"""`quote_find` on both engines."""

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from indexer.archives.parsed import Place
from indexer.library import Library
from mcp_server.features.quotes.operations import FIND
from mcp_server.features.simple.operations import FETCH
from mcp_server.run import run
from mcp_server.services import Services
from tests.contract.caller import Caller, failure_of
from tests.contract.shelf import Shelf, page, paper
from tests.distortion import KINDS, distorted, passage
from tests.made_services import made_services

SAMPLE = Path(__file__).parents[2] / "app" / "sample"
DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
async def services(library: Library) -> AsyncIterator[Services]:
    made = made_services(library)
    yield made
    await made.upstreams.aclose()


class Quotes:
    """The operation for one team."""

    def __init__(self, services: Services, caller: Caller) -> None:
        self.services = services
        self.principal = caller.principal

    async def __call__(self, quote: str, **arguments: Any) -> list[dict[str, Any]]:
        result: Any = await run(FIND, self.services, self.principal, {"quote": quote, **arguments})
        assert result["success"]
        matches: list[dict[str, Any]] = result["matches"]
        return matches

    async def fetch(self, id_: str) -> Any:
        return await run(FETCH, self.services, self.principal, {"id": id_})


@pytest.fixture
def quotes(services: Services, caller: Caller) -> Quotes:
    return Quotes(services, caller)


async def test_a_quote_is_found_where_it_stands_and_can_be_fetched(quotes: Quotes, caller: Caller) -> None:
    text = "First line.\nAn otter trawl is towed\nalong the sea bed by one vessel.\nLast line."
    await caller.fill({"nets": (text, {"title": "Nets"}), "other": "A trawl is a net that a vessel tows."})
    [match] = await quotes("otter trawl is towed along the sea bed")
    assert match["title"] == "Nets"
    assert match["passage"] == "otter trawl is towed\nalong the sea bed"
    assert (match["exact"], match["difference"]) == (True, 0.0)
    assert match["locations"] == [{"page": None, "heading": None, "line": 2}]
    assert match["url"].endswith(f"/d/{match['id']}")
    assert (await quotes.fetch(match["id"]))["text"] == text


async def test_a_quote_of_the_archive_has_page_heading_and_line(
    quotes: Quotes, services: Services, caller: Caller
) -> None:
    shelf = Shelf(services.library, caller.principal)
    text = "An otter trawl is towed.\nThe cod end holds the catch of the day."
    places = (Place(0, page=1, heading="Nets", line=3), Place(25, page=2, heading="Cod end", line=4))
    note = paper("notes/nets.md", text, title="Gear", places=places)
    site = page("https://example.org/nets", "A page: the cod end holds the catch today.", title="Page")
    try:
        await shelf.put(note, site)
        first, second = await quotes("The cod end holds the catch of the day.")
    finally:
        await asyncio.to_thread(shelf.remove)
    assert first["locations"] == [{"page": 2, "heading": "Cod end", "line": 4}]
    assert (first["title"], first["exact"]) == ("Gear", True)
    assert (second["url"], second["exact"]) == ("https://example.org/nets", False)
    assert 0 < second["difference"] < 0.5


async def test_exact_matches_come_first_then_the_closest(quotes: Quotes, caller: Caller) -> None:
    await caller.create("other", tokenizer={"lowercase": False, "min_length": 1, "language": "none"})
    await caller.fill({"far": "The great net was dragged along a muddy sea bed by two boats"})
    await caller.fill({"near": "The net was dragged along the muddy sea bed by two vessels"}, "other")
    await caller.fill({"same": "the net was dragged along the muddy sea bed by two boats"}, "other")
    found = await quotes("The net was dragged along the muddy sea bed by two boats.")
    assert [match["exact"] for match in found] == [True, False, False]
    assert [match["difference"] for match in found] == sorted(match["difference"] for match in found)
    assert [match["title"] for match in found] == ["same", "near", "far"]
    assert len(await quotes("The net was dragged along the muddy sea bed by two boats.", limit=1)) == 1


async def test_what_stands_nowhere_has_no_match(quotes: Quotes, caller: Caller, other: Caller) -> None:
    assert await quotes("nothing was ever written here") == []
    await caller.fill({"nets": "A trawl is a net."})
    await other.fill({"secret": "The plan of another team is a secret."})
    assert await quotes("The plan of another team is a secret.") == []
    failure = await failure_of(quotes("«…» ——— !!!"))
    assert failure["error_category"] == "validation"


async def test_distorted_quotes_come_first(quotes: Quotes, caller: Caller) -> None:
    paths = [*SAMPLE.glob("*.md"), *(DOCS / "adr").glob("*.md")]
    texts = {path.name: path.read_text(encoding="utf-8") for path in paths}
    await caller.fill(texts)
    chance = random.Random(7)
    names, wrong = sorted(texts), []
    for number in range(60):
        name = chance.choice(names)
        original = passage(texts[name], chance, chance.randint(10, 30))
        found = await quotes(distorted(original, KINDS[number % len(KINDS)], chance)[:2_000])
        if not found or original not in (await quotes.fetch(found[0]["id"]))["text"]:
            wrong.append(original)
    assert len(wrong) <= 3, wrong


async def test_a_hostile_quote_ends_in_time(quotes: Quotes, caller: Caller) -> None:
    await caller.fill({"many": "aa " * 1_000_000})
    async with asyncio.timeout(20):
        assert await quotes("aa " * 600, limit=1)
        await quotes("aa bb " * 300)
