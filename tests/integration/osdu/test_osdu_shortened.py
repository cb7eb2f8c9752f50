"""Records that are too long for `max_chars`: the answer says what was cut, and reading on loses nothing."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from app.sandbox.engine.port import SearchEngine
from app.sandbox.osdu.records import index_of
from tests.upstreams.osdu import OsduServer, osdu_server
from tests.upstreams.osdu_caller import Caller, caller, settings
from tests.upstreams.osdu_records import record
from tests.upstreams.search_engines import engine_with

LOG = "osdu:wks:work-product-component--WellLog:1.0.0"
MANY = "osdu:wks:work-product-component--Marker:1.0.0"
ID = "opendes:work-product-component--WellLog:1"
COUNT = 300


@pytest.fixture(scope="module")
def long_engine(engine_name: str, request: pytest.FixtureRequest) -> Iterator[SearchEngine]:
    log = record(ID, LOG, {"Name": "Gamma ray", "Curve": [number / 4 for number in range(6_000)]})
    markers = (
        record(f"opendes:marker:{number:03}", MANY, {"Number": number, "Note": f"{number} " * 20})
        for number in range(COUNT)
    )
    with engine_with(engine_name, request, [index_of([log, *markers])]) as engine:
        yield engine


@pytest.fixture
async def osdu(long_engine: SearchEngine) -> AsyncIterator[OsduServer]:
    async with osdu_server(long_engine) as server:
        yield server


@pytest.fixture
async def call(osdu: OsduServer) -> AsyncIterator[Caller]:
    async with caller(settings(osdu.url)) as made:
        yield made


async def test_a_cut_record_says_what_was_cut_and_the_page_what_to_do(call: Caller) -> None:
    result = await call("search_by_id", id=ID)
    (log,) = result["results"]
    assert log["shortened"] == ["data.Curve"]
    assert 0 < len(log["data"]["Curve"]) < 6_000
    assert log["data"]["Name"] == "Gamma ray"
    assert result["truncated"]
    assert result["next_cursor"] is None
    assert "max_chars=20000" in result["fix"]["required_action"]
    assert "   shortened: data.Curve" in call.texts[-1].splitlines()
    assert result["fix"]["required_action"] in call.texts[-1]


async def test_brief_cuts_long_values_and_says_how_to_get_them(call: Caller) -> None:
    result = await call("search_by_kind", kind=LOG, detail="brief")
    (log,) = result["results"]
    assert log["data"]["Name"] == "Gamma ray"
    assert len(log["data"]["Curve"]) == 10
    assert log["shortened"] == ["data.Curve"]
    assert result["truncated"]
    assert 'detail="full"' in result["fix"]["required_action"]


async def test_ids_give_no_data_and_pages_go_on(call: Caller) -> None:
    records: list[dict[str, Any]] = []
    cursor = None
    while cursor is not None or not records:
        page = await call("search_query", query="*", kind=MANY, limit=200, detail="ids", cursor=cursor)
        assert page["truncated"]
        records += page["results"]
        cursor = page["next_cursor"]
    assert sorted(each["id"] for each in records) == [f"opendes:marker:{number:03}" for number in range(COUNT)]
    assert all(each["data"] == {} for each in records)


async def test_a_page_of_many_long_records_is_what_hosts_accept(call: Caller) -> None:
    result = await call("search_query", query="*", limit=1_000)
    assert len(json.dumps(result)) <= 100_000
    assert len(call.texts[-1]) <= 100_000


@pytest.mark.parametrize("more", [{"max_chars": 1_000_000}, {"returned_fields": ["data.Name"]}])
async def test_what_the_fix_proposes_helps(call: Caller, more: dict[str, Any]) -> None:
    result = await call("search_by_id", id=ID, **more)
    (log,) = result["results"]
    assert not result["truncated"]
    assert "fix" not in result
    assert "shortened" not in log
    assert len(log["data"].get("Curve", [])) in {0, 6_000}


async def test_the_default_page_says_how_many_fit(call: Caller) -> None:
    result = await call("search_by_kind", kind=MANY)
    shown = len(result["results"])
    assert 20 < shown < 100
    assert not any("shortened" in each for each in result["results"])
    assert result["fix"]["required_action"].startswith("Read on with next_cursor")
    assert f"{shown} of 100 records fit into max_chars=20000" in result["fix"]["required_action"]


@pytest.mark.parametrize("sort", [None, {"field": ["id"]}, {"field": ["data.Number"], "order": ["DESC"]}])
@pytest.mark.parametrize(("limit", "max_chars"), [(100, 20_000), (7, 1_000), (1_000, 5_000)])
async def test_reading_on_after_a_cut_gives_every_record_once(
    call: Caller, sort: dict[str, Any] | None, limit: int, max_chars: int
) -> None:
    arguments = {"kind": MANY, "limit": limit, "max_chars": max_chars} | ({} if sort is None else {"sort": sort})
    result = await call("search_by_kind", **arguments)
    numbers = [each["data"]["Number"] for each in result["results"]]
    while (cursor := result["next_cursor"]) is not None:
        result = await call("search_by_kind", **arguments, cursor=cursor)
        numbers += [each["data"]["Number"] for each in result["results"]]
        assert ("fix" in result) == result["truncated"]
    assert sorted(numbers) == list(range(COUNT))
    if sort is not None:
        assert numbers == sorted(numbers, reverse="order" in sort)
