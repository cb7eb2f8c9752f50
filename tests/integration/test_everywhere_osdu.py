"""Queries of local syntax against OSDU's own."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from app.sandbox.engine.port import SearchEngine
from app.sandbox.osdu.records import index_of
from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from tests.unit.everywhere.everywhere_caller import Caller, caller, osdu_settings, outcomes
from tests.unit.everywhere.made_sources import PATIENT
from tests.upstreams.osdu import osdu_server
from tests.upstreams.osdu_records import WELL, record
from tests.upstreams.search_engines import engine_with

RECORDS = {
    "deep": {"FacilityName": "Deep Reef", "Depth": 4_000},
    "dead": {"FacilityName": "Dead reef", "Notes": "Rate-limiting: AND so on"},
    "shallow": {"FacilityName": "Shallow", "Aliases": [{"Name": "Reef edge"}]},
    "path": {"FacilityName": "c:\\\\wells\\\\(7)", "URL": "https://example.org/well"},
}


@pytest.fixture(scope="module")
def engine(engine_name: str, request: pytest.FixtureRequest) -> Iterator[SearchEngine]:
    records = [record(name, WELL, dict(data)) for name, data in RECORDS.items()]
    with engine_with(engine_name, request, [index_of(records)]) as opened:
        yield opened


@pytest.fixture
async def call(engine: SearchEngine, tmp_path: Path) -> AsyncIterator[Caller]:
    library = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path, search_timeout=PATIENT))
    async with osdu_server(engine) as server, caller(library, osdu=osdu_settings(server.url)) as made:
        yield made
    await library.aclose()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("reef", {"deep", "dead", "shallow"}),
        ("reef shallow", {"deep", "dead", "shallow"}),
        ("+reef -dead", {"deep", "shallow"}),
        ("+reef +deep", {"deep"}),
        ("+reef nowhere", {"deep", "dead", "shallow"}),
        ('"deep reef"', {"deep"}),
        ('"reef deep"', set()),
        ("shal*", {"shallow"}),
        ("-reef", {"path"}),
        ("*", {"deep", "dead", "shallow", "path"}),
        ("rate-limiting", {"dead"}),
        ("AND", {"dead"}),
        (r"c:\\wells\\(7)", {"path"}),
        ("4000", {"deep"}),
        ("data.Depth:[0 TO 9999]", set()),
        ("id:* OR (", set()),
    ],
)
async def test_words_and_signs_find_the_records_that_they_should(call: Caller, query: str, found: set[str]) -> None:
    result = await call(query, sources=["osdu"])
    assert result["success"], result
    assert {hit["id"] for hit in result["results"]} == found


async def test_what_the_question_asks_for_stands_first_in_the_snippet(call: Caller) -> None:
    result = await call("edge")
    [hit] = result["results"]
    assert (hit["title"], hit["snippet"]) == ("Shallow", "Aliases.Name: Reef edge · FacilityName: Shallow")
    assert outcomes(result)["osdu"]["count"] == 1


async def test_an_address_that_a_record_states_is_its_own(call: Caller) -> None:
    [hit] = (await call("wells"))["results"]
    assert hit["url"] == "https://example.org/well"
