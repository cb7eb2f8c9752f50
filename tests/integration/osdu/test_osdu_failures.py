"""What callers are told when OSDU refuses, is busy, breaks or is not there; over real HTTP."""

from typing import Any

import pytest

from tests.upstreams.faults import Fault
from tests.upstreams.osdu import TOKEN, OsduServer, User
from tests.upstreams.osdu_caller import Caller, caller, settings
from tests.upstreams.osdu_records import VIEWERS, WELL
from tests.upstreams.search_engines import MEMORY

ENGINES = (MEMORY,)
TABLE = [
    (400, "Invalid Elasticsearch query: it is bad", "validation", 1),
    (401, "Authentication required", "authentication", 1),
    (403, "Insufficient permissions for search", "authorization", 1),
    (413, "Query exceeds complexity limits", "validation", 1),
    (429, "Search service is busy", "rate_limit", 3),
    (500, "Search service error", "provider", 1),
    (502, "Search service error", "provider", 1),
    (503, "Search service temporarily unavailable", "unavailable", 3),
    (504, "Search service error", "provider", 1),
    (302, "Search service error", "provider", 1),
    (418, "Search service error", "provider", 1),
]
CALLS = [
    ("search_query", {"query": "well"}),
    ("search_by_id", {"id": "a:b:c"}),
    ("search_by_kind", {"kind": WELL}),
    ("osdu_discover_fields", {"kind": WELL}),
]


def assert_failure(result: dict[str, Any], message: str, category: str) -> None:
    assert result["success"] is False
    assert (result["error"], result["error_category"]) == (message, category)
    assert result["fix"]["required_action"]
    assert isinstance(result["alternatives"], dict)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: str(row[0]))
async def test_each_status_has_its_message_and_category(
    call: Caller, osdu: OsduServer, row: tuple[int, str, str, int]
) -> None:
    status, message, category, requests = row
    osdu.always = Fault(status, {"code": status, "reason": "Some reason", "message": "it is bad"})
    result = await call("search_query", query="well")
    assert_failure(result, message, category)
    assert len(osdu.requests) == requests
    assert message in call.texts[0]


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
async def test_every_tool_fails_alike_and_without_a_bug(
    call: Caller, osdu: OsduServer, tool: str, arguments: dict[str, Any]
) -> None:
    osdu.always = Fault(403, b"<html>no</html>")
    assert_failure(await call(tool, **arguments), "Insufficient permissions for search", "authorization")


@pytest.mark.parametrize(("tool", "arguments"), CALLS[:3])
async def test_nothing_found_as_404_is_success_without_results(
    call: Caller, osdu: OsduServer, tool: str, arguments: dict[str, Any]
) -> None:
    osdu.always = Fault(404, {"code": 404, "reason": "Not Found", "message": "no index"})
    result = await call(tool, **arguments)
    assert result["success"] is True
    assert (result["results"], result["totalCount"], result["next_cursor"]) == ([], 0, None)


async def test_a_busy_service_is_asked_again_after_the_time_it_names(call: Caller, osdu: OsduServer) -> None:
    osdu.faults.append(Fault(429, {"code": 429}, {"Retry-After": "0"}))
    osdu.faults.append(Fault(503, {"code": 503}, {"Retry-After": "0"}))
    result = await call("search_query", query='data.UWI:"8601"')
    assert result["totalCount"] == 1
    assert len(osdu.requests) == 3


async def test_a_long_wait_is_left_to_the_caller(call: Caller, osdu: OsduServer) -> None:
    osdu.always = Fault(429, {"code": 429}, {"Retry-After": "120"})
    result = await call("search_query", query="well")
    assert_failure(result, "Search service is busy", "rate_limit")
    assert result["details"]["retry_after_s"] == 120
    assert len(osdu.requests) == 1


@pytest.mark.parametrize(("status", "seconds"), [(502, 10), (504, 60)])
async def test_gateway_errors_say_when_to_come_back(call: Caller, osdu: OsduServer, status: int, seconds: int) -> None:
    osdu.always = Fault(status, b"bad gateway")
    result = await call("search_query", query="well")
    assert result["details"]["retry_after_s"] == seconds


async def test_a_silent_service_is_a_time_out_that_is_not_repeated(osdu: OsduServer) -> None:
    osdu.always = Fault(hang=True)
    async with caller(settings(osdu.url, timeout=2.0)) as call:
        result = await call("search_query", query="well")
    assert_failure(result, "Search service did not answer in time", "timeout")
    assert len(osdu.requests) == 1


async def test_a_broken_connection_is_tried_again(call: Caller, osdu: OsduServer) -> None:
    osdu.faults.append(Fault(hang_up=True))
    assert (await call("search_query", query='data.UWI:"8601"'))["totalCount"] == 1


async def test_a_service_that_is_not_there_is_unavailable() -> None:
    async with caller(settings("http://127.0.0.1:1")) as call:
        result = await call("search_query", query="well")
    assert_failure(result, "Search service temporarily unavailable", "unavailable")


@pytest.mark.parametrize("body", [b"<html>", b"[1]", b'{"results": 5}', b'{"results": [5]}', b"{", b""])
async def test_an_answer_that_cannot_be_read_is_a_provider_failure(call: Caller, osdu: OsduServer, body: bytes) -> None:
    osdu.answer = body
    assert_failure(await call("search_query", query="well"), "Search service error", "provider")


async def test_what_the_service_says_is_told_without_the_query(call: Caller, osdu: OsduServer) -> None:
    query = "data.FacilityName:canary"
    result = await call("search_query", query=query, sort={"field": ["data.FacilityName"], "order": ["ASC"]})
    assert result["error_category"] == "validation"
    assert result["error"].startswith("Invalid Elasticsearch query: ")
    assert "keyword" in result["error"]
    osdu.always = Fault(400, {"code": 400, "reason": "Bad Request", "message": f"Failed to parse query [{query}]"})
    told = await call("search_query", query=query)
    assert told["error"] == "Invalid Elasticsearch query: Failed to parse query […]"


async def test_a_user_without_the_role_is_unauthenticated_as_the_service_says(call: Caller, osdu: OsduServer) -> None:
    osdu.users[TOKEN] = User(groups=(VIEWERS,))
    assert_failure(await call("search_query", query="well"), "Authentication required", "authentication")


async def test_a_foreign_partition_is_refused(osdu: OsduServer) -> None:
    async with caller(settings(osdu.url, partition="other")) as call:
        result = await call("search_query", query="well")
    assert_failure(result, "Authentication required", "authentication")


@pytest.mark.parametrize(
    ("query", "what", "position"),
    [
        ('data.Name:"abc', "unbalanced quote", 10),
        ("(a AND b", "unbalanced parenthesis", 0),
        ("a AND b)", "unbalanced parenthesis", 7),
        ("data.Depth:[1 TO 5", "a range is written [low TO high], closed by ] or }", 18),
        ("data.Depth:[1 5]", "a range is written [low TO high]", 14),
        ("a AND", "something is missing at the end", 5),
        ("(" * 51 + "a" + ")" * 51, "more than 50 parentheses inside each other", 50),
        ("a" * 10_001, "longer than 10,000 characters", 10_000),
        ("a\ud800b", "half a surrogate pair", 1),
    ],
)
async def test_a_query_that_cannot_work_is_stopped_with_its_position(
    call: Caller, osdu: OsduServer, query: str, what: str, position: int
) -> None:
    result = await call("search_query", query=query)
    assert_failure(result, f"Invalid Elasticsearch query: {what} at position {position}", "validation")
    assert result["details"]["position"] == position
    assert osdu.requests == []


SQUARE = [{"latitude": 1, "longitude": 1}, {"latitude": 1, "longitude": 2}, {"latitude": 2, "longitude": 2}]


@pytest.mark.parametrize(
    "arguments",
    [
        {"spatial_filter": {"field": "f"}},
        {"spatial_filter": {"field": "f", "byGeoPolygon": {"points": SQUARE[:2]}}},
        {"spatial_filter": {"field": "f", "byWithinPolygon": {"points": SQUARE[:2]}}},
        {"spatial_filter": {"field": "f", "byIntersection": {"polygons": [{"points": SQUARE}]}}},
        {"spatial_filter": {"field": "f", "byIntersection": {"polygons": []}}},
        {"spatial_filter": {"field": "f", "byBoundingBox": {"topLeft": SQUARE[0], "bottomRight": SQUARE[2]}}},
        {
            "spatial_filter": {
                "field": "f",
                "byGeoPolygon": {"points": SQUARE},
                "byDistance": {"point": SQUARE[0], "distance": 1},
            }
        },
        {"sort": {"field": ["id"], "order": ["ASC", "DESC"]}},
        {"offset": 9_951},
        {"returned_fields": ["a\ud800"]},
    ],
)
async def test_what_the_service_would_refuse_is_stopped_before_the_call(
    call: Caller, osdu: OsduServer, arguments: dict[str, Any]
) -> None:
    result = await call("search_query", query="well", **arguments)
    assert result["error_category"] == "validation"
    assert result["error"].startswith("Invalid Elasticsearch query: ")
    assert osdu.requests == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"limit": 0},
        {"limit": 1_001},
        {"offset": -1},
        {"sort": {"field": ["id"], "order": ["UP"]}},
        {"spatial_filter": {"field": "f", "byDistance": {"point": SQUARE[0], "distance": 0}}},
        {"spatial_filter": {"field": "f", "byDistance": {"point": {"latitude": 91, "longitude": 0}, "distance": 1}}},
        {"unknown": 1},
    ],
)
async def test_what_breaks_the_schema_is_refused(call: Caller, arguments: dict[str, Any]) -> None:
    assert "Invalid arguments for search_query" in await call.refused("search_query", query="well", **arguments)


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
async def test_without_settings_every_tool_says_which_to_give(tool: str, arguments: dict[str, Any]) -> None:
    async with caller(settings("http://127.0.0.1:1", url=None, token=None)) as call:
        result = await call(tool, **arguments)
        built = await call("osdu_build_query", clauses=[{"field": "a", "op": "eq", "value": "b"}])
    assert_failure(result, "OSDU is not configured", "not_configured")
    assert result["details"]["missing"] == ["TRAWL_OSDU_URL", "TRAWL_OSDU_TOKEN"]
    assert built == {"success": True, "query": 'a:"b"'}
