"""The order of results: by relevance, by boosts, and by `_score` where the service takes it."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from app.sandbox.engine.port import SearchEngine
from app.sandbox.osdu.records import index_of
from tests.upstreams.osdu import OsduServer, osdu_server
from tests.upstreams.osdu_caller import Caller, caller, settings
from tests.upstreams.osdu_records import WELL, record
from tests.upstreams.search_engines import engine_with

RECORDS = {
    "named": {"FacilityName": "Troll", "Description": "a well"},
    "told": {"FacilityName": "Oseberg", "Description": "Troll Troll Troll"},
    "other": {"FacilityName": "Snorre", "Description": "a well"},
}


@pytest.fixture(scope="module")
def ranked_engine(engine_name: str, request: pytest.FixtureRequest) -> Iterator[SearchEngine]:
    records = [record(name, WELL, dict(data)) for name, data in RECORDS.items()]
    with engine_with(engine_name, request, [index_of(records)]) as engine:
        yield engine


@pytest.fixture
async def osdu(ranked_engine: SearchEngine) -> AsyncIterator[OsduServer]:
    async with osdu_server(ranked_engine) as server:
        yield server


@pytest.fixture
async def call(osdu: OsduServer) -> AsyncIterator[Caller]:
    async with caller(settings(osdu.url)) as made:
        yield made


async def order(call: Caller, query: str, **arguments: Any) -> list[str]:
    result = await call("search_query", query=query, **arguments)
    assert result["success"], result
    return [each["id"] for each in result["results"]]


@pytest.mark.parametrize(("name", "description"), [(20, None), (None, 20), (1, 0.01), (0.01, 100)])
async def test_a_boosted_condition_decides_which_record_comes_first(
    call: Caller, name: float | None, description: float | None
) -> None:
    clauses = [
        {"field": "data.FacilityName", "op": "eq", "value": "troll", "boost": name},
        {"field": "data.Description", "op": "eq", "value": "troll", "boost": description},
    ]
    built = await call("osdu_build_query", clauses=clauses, combine="or")
    first = "named" if (name or 1) > (description or 1) else "told"
    assert await order(call, built["query"]) == [first, "told" if first == "named" else "named"]


async def test_a_boost_may_follow_every_operator(call: Caller) -> None:
    operators: list[tuple[str, Any]] = [
        ("eq", "troll"),
        ("ne", "x"),
        ("in", ["troll", "snorre"]),
        ("gte", "a"),
        ("lte", "z"),
        ("between", ["a", "z"]),
        ("prefix", "tro"),
        ("contains", "rol"),
        ("exists", True),
        ("exists", False),
    ]
    for op, value in operators:
        built = await call(
            "osdu_build_query",
            clauses=[
                {"field": "data.FacilityName", "op": op, "value": value, "boost": 2.5},
                {"field": "id", "op": "exists"},
            ],
            combine="or",
        )
        assert len(await order(call, built["query"])) == 3


async def test_score_sorts_by_relevance_downwards_unless_told_otherwise(call: Caller, osdu: OsduServer) -> None:
    query = "data.FacilityName:troll^20 OR data.Description:troll"
    assert await order(call, query, sort={"field": ["_score"]}) == ["named", "told"]
    assert await order(call, query, sort={"field": ["_score"], "order": ["ASC"]}) == ["told", "named"]
    assert await order(call, "*", sort={"field": ["_score", "id"]}) == ["named", "other", "told"]
    assert [body["sort"] for body in osdu.bodies("query")] == [
        {"field": ["_score"], "order": ["DESC"]},
        {"field": ["_score"], "order": ["ASC"]},
        {"field": ["_score", "id"], "order": ["DESC", "ASC"]},
    ]


async def test_reading_on_keeps_the_order_of_relevance(call: Caller) -> None:
    query = "(data.FacilityName:troll^20 OR data.Description:troll^5 OR *)"
    for sort in ({}, {"sort": {"field": ["_score", "id"]}}):
        result = await call("search_query", query=query, limit=1, **sort)
        seen = [each["id"] for each in result["results"]]
        while (cursor := result["next_cursor"]) is not None:
            result = await call("search_query", query=query, limit=1, cursor=cursor, **sort)
            seen += [each["id"] for each in result["results"]]
        assert seen == ["named", "told", "other"]


async def test_an_old_release_refuses_score_and_the_failure_says_what_to_do(call: Caller, osdu: OsduServer) -> None:
    osdu.sorts_by_score = False
    result = await call("search_query", query="troll", sort={"field": ["_score"]})
    assert (result["success"], result["error_category"]) == (False, "validation")
    assert result["error"].startswith("Invalid Elasticsearch query: ")
    assert "_score" in result["fix"]["required_action"]
    assert await order(call, "data.FacilityName:troll") == ["named"]


async def test_a_boost_out_of_range_is_refused(call: Caller) -> None:
    clause = {"field": "data.FacilityName", "op": "eq", "value": "troll"}
    for boost in (0, 101):
        told = await call.refused("osdu_build_query", clauses=[{**clause, "boost": boost}])
        assert "boost" in told
