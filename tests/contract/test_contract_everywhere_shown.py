"""What search_everywhere shows of a result: passages, fields and reasons; and which query it suggests."""

import pytest

from indexer.archives.parsed import Place
from mcp_server.document_ids import decode_id
from mcp_server.features.simple.operations import FETCH
from mcp_server.run import run
from tests.contract.everywhere_team import EverywhereTeam
from tests.contract.shelf import paper


async def test_a_full_result_shows_passages_with_their_places_and_what_is_known(everywhere: EverywhereTeam) -> None:
    text = "Corals.\n\nA reef & more.\n\n" + "Sand and water. " * 60 + "The reef again."
    places = (Place(0, 1, "Corals", None), Place(text.index("The reef"), 4, "Later", None))
    note = paper("a/corals.md", text, places=places, authors=("Ada",), tags=("sea",), language="en", date="2024-01-01")
    await everywhere.shelf.put(note)
    await everywhere.indices.fill(
        {"i": ("An indexed reef", {"title": "Reefs", "year": 2021, "tags": ["a", {"b": 1}], "c": {}})}
    )
    result = await everywhere("reef")
    hits = {hit["id"]: hit for hit in result["results"]}
    archived, indexed = hits[note.id], hits["i"]
    assert [(each["page"], each["heading"]) for each in archived["passages"]] == [(1, "Corals"), (4, "Later")]
    assert "A <mark>reef</mark> &amp; more." in archived["passages"][0]["text"]
    assert archived["fields"] == {
        "path": "a/corals.md",
        "date": "2024-01-01",
        "authors": ["Ada"],
        "tags": ["sea"],
        "language": "en",
    }
    assert indexed["passages"] == [
        {"text": "An indexed <mark>reef</mark>", "page": None, "heading": None, "line": None}
    ]
    assert indexed["fields"] == {"year": 2021, "tags": ["a"]}
    assert (archived["matched"], indexed["matched"]) == ("exact", "exact")
    assert "explanation" not in archived
    same = await everywhere.shelf.search("reef", limit=1)
    [content] = [each for each in same["results"][0]["highlights"] if each["field"] == "content"]
    assert [each["text"] for each in archived["passages"]] == content["snippets"]


async def test_a_full_result_is_fetched_by_its_id(everywhere: EverywhereTeam) -> None:
    note = paper("a/corals.md", "A reef.")
    await everywhere.shelf.put(note)
    await everywhere.indices.fill({"i/1": "An indexed reef"})
    for hit in (await everywhere("reef"))["results"]:
        key = decode_id(hit["fetch_id"])
        assert (key.source, key.id, key.index_name) == (hit["source"], hit["id"], hit.get("index_name"))
        fetched = await run(FETCH, everywhere.services, everywhere.indices.principal, {"id": hit["fetch_id"]})
        assert "reef" in fetched["text"]


@pytest.mark.parametrize("detail", ["ids", "brief"])
async def test_what_only_a_full_result_shows_is_left_out_of_the_others(everywhere: EverywhereTeam, detail: str) -> None:
    await everywhere.shelf.put(paper("a/corals.md", "A reef."))
    [hit] = (await everywhere("reef", detail=detail, explain=True))["results"]
    assert set(hit) == {"source", "id", "title", "url", "snippet", "score", "rank"}
    assert bool(hit["snippet"]) is (detail == "brief")


async def test_a_result_tells_what_it_owes_its_score_to(everywhere: EverywhereTeam) -> None:
    note = paper("a/corals.md", "A sonar of the deep reef shows corals.", authors=("Ada",))
    await everywhere.shelf.put(note)
    await everywhere.indices.fill({"i": ("A deep reef", {"author": "Ada"})})
    result = await everywhere('sonar "deep reef" cor* nowhere', explain=True, filters={"author": "Ada"})
    hits = {hit["id"]: hit for hit in result["results"]}
    archived = hits[note.id]["explanation"]
    assert {(part["what"], part["kind"]) for part in archived} == {
        ("sonar", "word"),
        ("deep reef", "phrase"),
        ("cor*", "prefix"),
        ("author", "filter"),
    }
    assert [part["score"] for part in archived] == sorted((part["score"] for part in archived), reverse=True)
    assert archived[-1] == {"what": "author", "kind": "filter", "score": 0.0}
    assert [(part["what"], part["kind"]) for part in hits["i"]["explanation"]] == [
        ("deep reef", "phrase"),
        ("author", "filter"),
    ]
    many = await everywhere(" ".join(f"w{at}" for at in range(20)), explain=True)
    assert many["results"] == []
    await everywhere.indices.fill({"many": " ".join(f"w{at}" for at in range(20))})
    [hit] = (await everywhere(" ".join(f"w{at}" for at in range(20)), explain=True))["results"]
    assert len(hit["explanation"]) == 12


async def test_a_misspelt_word_is_suggested_and_its_matches_are_marked_as_close(everywhere: EverywhereTeam) -> None:
    await everywhere.shelf.put(paper("notes/kelp.md", "A forest under water.", title="Kelp"))
    await everywhere.indices.fill({"a": "A forest of kelp", "b": "A forest"})
    result = await everywhere("forrest", explain=True)
    assert result["did_you_mean"] == "forest"
    assert {hit["matched"] for hit in result["results"]} == {"fuzzy"}
    for hit in result["results"]:
        assert [(part["what"], part["kind"]) for part in hit["explanation"]] == [("forest", "fuzzy")]
    assert (await everywhere('"forrest of"'))["did_you_mean"] == '"forest of"'
    assert (await everywhere("forest"))["did_you_mean"] is None
    assert (await everywhere("qqqqqqqq"))["did_you_mean"] is None


async def test_a_word_that_some_index_has_often_is_not_suggested_away(everywhere: EverywhereTeam) -> None:
    await everywhere.shelf.put(paper("notes/kelp.md", "A forest under water.", title="Kelp"))
    await everywhere.indices.fill({f"i{at}": "Forrest Hill" for at in range(3)})
    assert (await everywhere("forrest"))["did_you_mean"] is None


async def test_results_in_full_are_shortened_to_fit(everywhere: EverywhereTeam) -> None:
    await everywhere.indices.fill(
        {f"i{at}": ("reef " * 400, {"long": "x" * 1_000, "tags": ["y"] * 50}) for at in range(10)}
    )
    whole, short = await everywhere("reef"), await everywhere("reef", max_chars=3_000)
    assert not whole["truncated"]
    assert len(whole["results"][0]["fields"]["long"]) == 200
    assert short["truncated"]
    assert len(str(short["results"])) <= 3_000
