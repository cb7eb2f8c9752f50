"""The team's own archive and indices as sources, on both engines."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from indexer.bootstrap import open_library
from indexer.index.record import IndexRecord
from indexer.library import Library
from indexer.settings import IndexerSettings
from indexer.tenancy import IndexName, TeamId
from tests.contract.engines import ENGINES, settings_of
from tests.contract.everywhere_team import EverywhereTeam
from tests.contract.shelf import page, paper
from tests.unit.everywhere.everywhere_caller import outcomes


@pytest.fixture(scope="module", params=ENGINES)
def engine_settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> IndexerSettings:
    return settings_of(request.param, request, tmp_path_factory.mktemp("data"))


@pytest.fixture
async def library(engine_settings: IndexerSettings) -> AsyncIterator[Library]:
    opened = open_library(engine_settings)
    yield opened
    await opened.aclose()


@pytest.fixture
async def team(library: Library) -> AsyncIterator[EverywhereTeam]:
    made = EverywhereTeam(library)
    yield made
    await made.remove()


async def test_the_archive_and_every_index_are_searched(team: EverywhereTeam) -> None:
    note = paper("notes/reef.md", "Corals build a reef & <more>.", title="On corals")
    await team.shelf.put(note)
    await team.indices.create("other")
    await team.indices.fill({"a/b": ("A reef", {"title": "Reefs"})})
    await team.indices.fill({"c": "Another reef"}, "other")
    result = await team("reef")
    by_id = {hit["id"]: hit for hit in result["results"]}
    assert set(by_id) == {note.id, "a/b", "c"}
    archived = by_id[note.id]
    assert (archived["source"], archived["title"], archived["url"]) == ("archive", "On corals", None)
    assert "<mark>reef</mark> &amp; &lt;more&gt;" in archived["snippet"]
    assert (by_id["a/b"]["index_name"], by_id["a/b"]["title"]) == ("default", "Reefs")
    assert by_id["a/b"]["url"] == "doc://default/a%2Fb"
    assert (by_id["c"]["index_name"], by_id["c"]["title"]) == ("other", "c")
    told = outcomes(result)
    assert [(told[name]["success"], told[name]["count"]) for name in ("archive", "indices")] == [(True, 1), (True, 2)]


async def test_the_same_address_or_doi_is_one_result(team: EverywhereTeam) -> None:
    fetched = page("https://www.example.org/reef/?utm_source=x", "About a reef.", title="A page")
    printed = paper("notes/paper.md", "A reef in print.", doi="10.1234/Reef")
    await team.shelf.put(fetched, printed)
    await team.indices.fill(
        {"u": ("A reef", {"url": "http://example.org/reef"}), "d": ("A reef", {"DOI": "https://doi.org/10.1234/reef"})}
    )
    result = await team("reef")
    pairs = {frozenset([hit["id"], *(also["id"] for also in hit["also_in"])]) for hit in result["results"]}
    assert pairs == {frozenset([fetched.id, "u"]), frozenset([printed.id, "d"])}
    assert {outcome["count"] for outcome in result["sources"]} == {2}


async def test_one_team_never_finds_another_s(team: EverywhereTeam, library: Library) -> None:
    other = EverywhereTeam(library)
    await other.shelf.put(paper("notes/reef.md", "A reef."))
    await other.indices.fill({"secret": "Another reef"})
    assert await team.found("reef") == []
    assert len(await other.found("reef")) == 2
    await other.remove()


async def test_signs_phrases_and_prefixes_mean_what_they_mean_in_each_index(team: EverywhereTeam) -> None:
    await team.indices.fill({"dead": "A dead reef", "deep": "A deep reef", "shallow": "Shallow water over corals"})
    assert set(await team.found("reef -dead")) == {"deep"}
    assert set(await team.found("+reef deep")) == {"dead", "deep"}
    assert set(await team.found('"deep reef"')) == {"deep"}
    assert set(await team.found("shal*")) == {"shallow"}
    assert set(await team.found("*")) == {"dead", "deep", "shallow"}
    assert await team.found(" ") == []


async def test_similar_words_are_found_only_where_nothing_has_those_asked_for(team: EverywhereTeam) -> None:
    note = paper("notes/kelp.md", "A forest under water.", title="Kelp")
    await team.shelf.put(note)
    await team.indices.fill({"forest": "A forest of kelp", "florist": "A florist with a shop"})
    assert await team.found("forrest") == [note.id, "forest"]
    assert set(await team.found("forest")) == {note.id, "forest"}


async def test_similar_words_of_one_source_rank_below_the_words_themselves_in_another(team: EverywhereTeam) -> None:
    note = paper("notes/kelp.md", "A forest under water.", title="Kelp")
    await team.shelf.put(note)
    await team.indices.fill({"first": "Forrest Hill", "second": "Mr Forrest"})
    found = await team.found("forrest")
    assert set(found[:2]) == {"first", "second"}
    assert found[2:] == [note.id]


async def test_the_best_of_each_index_come_first_whatever_their_scores(team: EverywhereTeam) -> None:
    filled = ("i1", "i2", "i9")
    for number in range(10):
        await team.indices.create(f"i{number}")
    for name in filled:
        await team.indices.fill({f"{name}-best": "reef reef reef", f"{name}-next": "a reef among other words"}, name)
    # a rare word scores higher
    await team.indices.fill({f"other{number}": "sand" for number in range(30)}, "i2")
    found = await team.found("reef", sources=["indices"])
    assert found[0] == "i2-best"
    assert set(found[:3]) == {f"{name}-best" for name in filled}
    assert set(found[3:]) == {f"{name}-next" for name in filled}


async def test_all_indices_together_give_no_more_than_one_source_may(team: EverywhereTeam) -> None:
    await team.indices.create("other")
    for name in ("default", "other"):
        await team.indices.fill({f"{name}{number}": "A reef" for number in range(8)}, name)
    assert outcomes(await team("reef", limit=1))["indices"]["count"] == 10
    assert outcomes(await team("reef", limit=12))["indices"]["count"] == 12


async def test_documents_of_the_same_name_are_not_the_same(team: EverywhereTeam) -> None:
    url = "https://example.org/reef?id=7"
    pages = [page(url, "A reef.", title="Reefs"), paper("notes/reefs.md", "A reef.", title="Reefs")]
    await team.shelf.put(*pages)
    result = await team("reef")
    assert {hit["id"]: hit["url"] for hit in result["results"]} == {pages[0].id: url, pages[1].id: None}


async def test_the_same_text_in_the_archive_and_in_an_index_is_one_result(team: EverywhereTeam) -> None:
    note = paper("notes/kelp.md", "A plant of cold water.\n\nIt shelters fish.", title="Kelp")
    await team.shelf.put(note)
    await team.indices.fill(
        {"kelp": "# Kelp\n\nA _plant_ of [cold water](sea.md). It shelters fish.", "other": "Kelp again"}
    )
    hits = {hit["id"]: hit for hit in (await team("kelp"))["results"]}
    assert set(hits) == {note.id, "other"}
    assert hits[note.id]["also_in"] == [{"source": "indices", "id": "kelp", "index_name": "default"}]


async def test_each_source_says_how_many_match_there_in_all(team: EverywhereTeam) -> None:
    await team.indices.create("other")
    await team.shelf.put(paper("notes/a.md", "A reef."), paper("notes/b.md", "A reef too."))
    for name in ("default", "other"):
        await team.indices.fill({f"{name}{number}": f"Reef {number}" for number in range(8)}, name)
    result = await team("reef", limit=1)
    told = outcomes(result)
    assert (told["archive"]["count"], told["archive"]["total"]) == (2, 2)
    assert (told["indices"]["count"], told["indices"]["total"]) == (10, 16)
    assert outcomes(await team("nowhere"))["indices"]["total"] == 0
    assert outcomes(await team(" "))["archive"]["total"] == 0


async def test_an_index_that_is_deleted_meanwhile_is_no_failure(
    team: EverywhereTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    await team.indices.create("doomed")
    await team.indices.fill({"gone": "A reef"}, "doomed")
    await team.indices.fill({"stays": "A reef"})
    registry = team.shelf.library.registry
    listed = registry.of_team(team.indices.principal.team)
    await team.indices.drop("doomed")

    def stale(_: TeamId) -> list[IndexRecord]:
        return listed

    monkeypatch.setattr(registry, "of_team", stale)
    result = await team("reef", sources=["indices"])
    monkeypatch.undo()
    assert [hit["id"] for hit in result["results"]] == ["stays"]
    assert result["sources"][0]["success"]


async def test_a_damaged_index_does_not_hide_the_others(team: EverywhereTeam) -> None:
    await team.indices.create("damaged")
    await team.indices.fill({"lost": "A reef"}, "damaged")
    await team.indices.fill({"stays": "A reef"})
    library, principal = team.shelf.library, team.indices.principal
    record = library.registry.get(principal.team, IndexName("damaged"))
    for target in record.all_physical():
        await asyncio.to_thread(library.engine.writer.drop, target.physical)
    result = await team("reef", sources=["indices"])
    assert [hit["id"] for hit in result["results"]] == ["stays"]
    [indices] = result["sources"]
    assert (indices["success"], indices["count"], indices["error_category"]) == (False, 1, "unavailable")
    assert indices["error"].startswith("1 of 2 indices could not be searched: ")


async def test_a_team_that_has_nothing_finds_nothing(team: EverywhereTeam) -> None:
    result = await team("reef")
    assert (result["success"], result["results"]) == (True, [])
    assert [outcome["success"] for outcome in result["sources"]] == [True, True]
