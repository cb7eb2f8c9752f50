"""Upstreams as sources beside what is local: found, slow, down and without settings."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from pydantic import SecretStr

from deploy.local.ports import take_ports
from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from mcp_server.features.everywhere.arguments import SearchEverywhere
from mcp_server.features.everywhere.results import EverywhereResult
from mcp_server.features.everywhere.service import answer
from mcp_server.features.everywhere.sources import sources_of
from tests.contract.shelf import paper
from tests.made_services import MAIN, made_services, made_upstreams
from tests.unit.everywhere.everywhere_caller import caller, osdu_settings, outcomes
from tests.unit.everywhere.made_sources import PATIENT
from tests.upstreams.faults import Fault
from tests.upstreams.osdu import OsduServer
from tests.upstreams.quilt_caller import settings as quilt_settings

SHORT = 0.2
WELL = {
    "id": "opendes:master-data--Well:7",
    "kind": "osdu:wks:master-data--Well:1.0.0",
    "data": {"Country": "Belize", "FacilityName": "Reef <7>", "Notes": {"Doi": "10.1234/reef"}, "DOI": "10.1234/Reef"},
}
ANSWER = orjson.dumps({"results": [{"kind": WELL["kind"], "data": {}}, WELL], "aggregations": [], "totalCount": 2})
"""One of its records has no id, so nobody could ask for it again."""


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    opened = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path, search_timeout=PATIENT))
    yield opened
    await opened.aclose()


@pytest.fixture
async def osdu() -> AsyncIterator[OsduServer]:
    async with OsduServer(None).running() as server:
        server.answer = ANSWER
        yield server


async def test_records_of_osdu_are_results_that_can_be_asked_for_again(library: Library, osdu: OsduServer) -> None:
    async with caller(library, osdu=osdu_settings(osdu.url)) as call:
        result = await call("reef")
    [hit] = result["results"]
    assert (hit["source"], hit["id"], hit["title"]) == ("osdu", WELL["id"], "Reef <7>")
    assert hit["snippet"].startswith("FacilityName: Reef &lt;7&gt; · ")
    assert hit["url"] is None
    [body] = osdu.bodies("query")
    assert (body["query"], body["limit"]) == ('"reef"', 10)
    assert body["trackTotalCount"] is True


async def test_a_doi_that_osdu_and_the_archive_state_is_one_result(library: Library, osdu: OsduServer) -> None:
    note = paper("notes/reef.md", "A reef.", doi="10.1234/reef")
    async with caller(library, osdu=osdu_settings(osdu.url)) as call:
        await call.shelf.put(note)
        result = await call("reef")
    [hit] = result["results"]
    assert (hit["id"], hit["also_in"]) == (note.id, [{"source": "osdu", "id": WELL["id"]}])


async def test_one_down_one_slow_and_one_without_settings_leave_the_others_answers(
    library: Library, osdu: OsduServer
) -> None:
    osdu.always = Fault(hang=True)
    [port] = take_ports(1)
    down = quilt_settings(f"http://127.0.0.1:{port}")
    async with caller(library, deadlines={"osdu": SHORT}, osdu=osdu_settings(osdu.url), quilt=down) as call:
        await call.shelf.put(paper("notes/reef.md", "A reef.", title="On reefs"))
        await call.indices.fill({"a": "Another reef"})
        result = await call("reef", sources=["archive", "indices", "osdu", "quilt", "web"])
        text = call.text
        default = await call("reef")
    told = outcomes(result)
    assert result["success"]
    assert [hit["source"] for hit in result["results"]] == ["archive", "indices"]
    assert {name: outcome["success"] for name, outcome in told.items()} == {
        "archive": True,
        "indices": True,
        "osdu": False,
        "quilt": False,
        "web": False,
    }
    assert told["osdu"]["error"] == f"No answer within {SHORT:g} s"
    categories = {name: told[name]["error_category"] for name in ("osdu", "quilt", "web")}
    assert categories == {"osdu": "timeout", "quilt": "unavailable", "web": "not_configured"}
    assert "not configured" in told["web"]["error"]
    for name in categories:
        assert told[name]["error"] in text
        assert told[name]["fix"]["required_action"]
    assert default["results"] == result["results"]
    assert [outcome["source"] for outcome in default["sources"]] == ["archive", "indices", "osdu", "quilt"]
    assert default["not_configured"] == ["web"]


@pytest.mark.parametrize("hasty_first", [True, False])
async def test_who_stops_waiting_does_not_take_the_answer_from_who_waits_on(
    library: Library, osdu: OsduServer, *, hasty_first: bool
) -> None:
    osdu.barrier = asyncio.Event()
    upstreams = made_upstreams(osdu=osdu_settings(osdu.url))
    services = made_services(library, upstreams)

    def asked(seconds: float) -> asyncio.Task[EverywhereResult]:
        seconds_of = {"archive": PATIENT, "osdu": seconds}
        sources = [
            replace(source, deadline=seconds_of[source.name])
            for source in sources_of(services, MAIN)
            if source.name in seconds_of
        ]
        return asyncio.create_task(answer(sources, SearchEverywhere(query="reef")))

    first, second = (asked(SHORT), asked(PATIENT)) if hasty_first else (asked(PATIENT), asked(SHORT))
    hasty, patient = (first, second) if hasty_first else (second, first)
    late = await hasty
    osdu.barrier.set()
    answered = await patient
    await upstreams.aclose()
    assert outcomes(late)["osdu"]["error_category"] == "timeout"
    assert [hit["id"] for hit in answered["results"]] == [WELL["id"]]


async def test_an_upstream_that_failed_is_asked_again_by_the_next_call(library: Library, osdu: OsduServer) -> None:
    osdu.always = Fault(400, {"message": "no"})
    async with caller(library, osdu=osdu_settings(osdu.url)) as call:
        assert not outcomes(await call("reef"))["osdu"]["success"]
        osdu.always = None
        assert outcomes(await call("reef"))["osdu"]["success"]


async def test_upstreams_answer_while_the_engine_is_away(osdu: OsduServer, tmp_path: Path) -> None:
    [port] = take_ports(1)
    settings = IndexerSettings(
        engine="opensearch", opensearch_url=f"http://127.0.0.1:{port}", data_dir=tmp_path, secret_key=SecretStr("k")
    )
    away = open_library(settings)
    async with caller(away, osdu=osdu_settings(osdu.url)) as call:
        result = await call("reef")
        alone = await call("reef", sources=["archive", "indices"])
    await away.aclose()
    assert [hit["id"] for hit in result["results"]] == [WELL["id"]]
    told = outcomes(result)
    assert {name: outcome["success"] for name, outcome in told.items()} == {
        "archive": False,
        "indices": False,
        "osdu": True,
    }
    assert (alone["success"], alone["error_category"]) == (False, "unavailable")
    assert [outcome["source"] for outcome in alone["details"]["sources"]] == ["archive", "indices"]
