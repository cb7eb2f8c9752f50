"""What the document "OSDU MCP Server (Phase 5: Search Service)" asks for, with OSDU's wire format over real HTTP."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from app.sandbox.osdu.records import index_of
from tests.seeds import deviations_000, rows_000
from tests.seeds.agent import Agent, connect
from tests.seeds.requirements import rows, seed
from tests.seeds.rows_000 import ACTIVE, BORE, CALLS, CLOSED, EXAMPLE, HIDDEN, PARAMETER, REFERENCE, TOOLS, ids
from tests.service import ROOT, Service, run_service, trawl
from tests.upstreams.faults import Fault
from tests.upstreams.osdu import TOKEN, OsduServer, osdu_server
from tests.upstreams.osdu_records import PARTITION
from tests.upstreams.search_engines import OPENSEARCH, engine_with

TITLE = "Seed 000: OSDU search"
DEVIATIONS = deviations_000.DEVIATIONS

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def upstream(request: pytest.FixtureRequest) -> AsyncIterator[OsduServer]:
    with engine_with(OPENSEARCH, request, [index_of(rows_000.records())]) as engine:
        async with osdu_server(engine) as server:
            yield server


@pytest.fixture
def osdu(upstream: OsduServer) -> Iterator[OsduServer]:
    """The same server for all tests, without what it was asked before."""
    upstream.requests.clear()
    yield upstream
    upstream.always = upstream.answer = None


def started(upstream: OsduServer, factory: pytest.TempPathFactory, **changes: str) -> Any:
    given = {"URL": upstream.url, "PARTITION": PARTITION, "TOKEN": TOKEN, **changes}
    return run_service(factory.mktemp("service"), env={f"TRAWL_OSDU_{name}": value for name, value in given.items()})


@pytest.fixture(scope="module")
def service(upstream: OsduServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with started(upstream, tmp_path_factory, CACHE_SECONDS="0") as running:
        yield running


@pytest.fixture(scope="module")
def impatient(upstream: OsduServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that caches as it does by default, and waits three seconds for OSDU."""
    with started(upstream, tmp_path_factory, TIMEOUT="3") as running:
        yield running


@seed("10-13,691", "Three search tools, and helpers; all only read")
@seed("15-18", "No index management, search templates or subscriptions")
async def test_the_tools_search_and_nothing_else(agent: Agent) -> None:
    listed = {name for name in agent.tools if name.startswith("osdu_") or name in TOOLS}
    assert listed == TOOLS
    assert all(
        hints is not None and hints.read_only_hint for hints in (agent.tools[name].annotations for name in TOOLS)
    )


@pytest.mark.parametrize(("tool", "required", "defaults"), rows(rows_000.PARAMETERS))
async def test_parameters_have_their_defaults_and_limits(
    agent: Agent, tool: str, required: str, defaults: dict[str, Any]
) -> None:
    listed = agent.arguments(tool)
    assert agent.required(tool) == {required}
    assert {name: listed[name]["default"] for name in defaults} == defaults
    assert (listed["limit"]["minimum"], listed["limit"]["maximum"]) == (1, 1_000)
    assert "limit" in await agent.refusal(tool, **{required: "*:*:*:*"}, limit=1_001)


@pytest.mark.parametrize(("tool", "arguments", "body"), rows(rows_000.REQUESTS))
@seed("342-352,377-380", "The service's base path is /api/search/v2")
async def test_the_request_is_sent_as_documented(
    agent: Agent, osdu: OsduServer, tool: str, arguments: dict[str, Any], body: dict[str, Any]
) -> None:
    assert ids(await agent.call(tool, **arguments))
    (request,) = osdu.requests
    assert request.path == "/api/search/v2/query"
    assert request.headers["authorization"] == f"Bearer {TOKEN}"
    assert request.headers["data-partition-id"] == PARTITION
    assert request.headers["content-type"] == "application/json"
    assert request.body | body == request.body


@seed("205-228,447-473,588-611,696", "The response holds id, kind, data, createTime, and how it was searched")
@seed("173-203,450", "acl, legal, users and modification times are left out")
async def test_the_example_is_answered_as_documented(agent: Agent) -> None:
    result = await agent.call("search_query", query=EXAMPLE, kind=PARAMETER)
    assert result == rows_000.RESPONSE
    assert isinstance(result["searchMeta"]["execution_time_ms"], int)


@pytest.mark.parametrize(("tool", "arguments", "executed", "found"), rows(rows_000.ANSWERS))
@seed("692", "One shape of responses for all three tools")
async def test_all_tools_answer_in_one_shape(
    agent: Agent, tool: str, arguments: dict[str, Any], executed: str, found: set[str]
) -> None:
    result = await agent.call(tool, **arguments)
    assert ids(result) == found
    assert (result["totalCount"], result["partition"]) == (len(found), PARTITION)
    assert result["searchMeta"]["query_executed"] == executed
    assert all({"id", "kind", "data", "createTime"} <= set(record) for record in result["results"])


@pytest.mark.parametrize(("query", "found"), rows(rows_000.QUERIES))
@seed("27,693", "The query goes to Elasticsearch as it is")
async def test_queries_in_elasticsearch_syntax(agent: Agent, osdu: OsduServer, query: str, found: set[str]) -> None:
    assert ids(await agent.call("search_query", query=query)) == found
    assert osdu.requests[0].body["query"] == query


@pytest.mark.parametrize("part", rows(rows_000.GUIDE))
@seed("33-39,570-575,631-640,690", "Prompt guide_search_patterns needs no parameters and is one user message of text")
async def test_the_guide_holds_every_part(agent: Agent, part: str) -> None:
    (message,) = (await agent.prompt("guide_search_patterns")).messages
    assert (message.role, part in message.content.text) == ("user", True)


@pytest.mark.parametrize(("status", "message", "category"), rows(rows_000.ERRORS))
@seed("694", "Failures have one form")
async def test_each_status_has_its_message(
    agent: Agent, osdu: OsduServer, status: int, message: str, category: str
) -> None:
    osdu.always = Fault(status, {"code": status, "reason": "Some reason", "message": "it is bad"})
    failure = await agent.call("search_query", query="well*")
    assert (failure["success"], failure["error"], failure["error_category"]) == (False, message, category)
    assert failure["fix"]["required_action"]
    osdu.always = None
    assert ids(await agent.call("search_query", query="well*")) == {ACTIVE, CLOSED}


@seed("652,664,678", "404: success with no results")
async def test_nothing_found_is_no_failure(agent: Agent, osdu: OsduServer) -> None:
    osdu.always = Fault(404, {"code": 404, "reason": "Not Found", "message": "no index"})
    for tool, arguments in CALLS:
        result = await agent.call(tool, **arguments)
        assert (result["success"], result["results"], result["totalCount"]) == (True, [], 0)


@pytest.mark.parametrize(("tool", "arguments", "problem"), rows(rows_000.REFUSED))
async def test_what_cannot_work_is_not_sent(
    agent: Agent, osdu: OsduServer, tool: str, arguments: dict[str, Any], problem: str
) -> None:
    failure = await agent.call(tool, **arguments)
    assert failure["error"] == f"Invalid Elasticsearch query: {problem}"
    assert failure["fix"]["required_action"]
    assert osdu.requests == []


@pytest.mark.parametrize("hostile", rows_000.INJECTIONS)
@seed("666", "Unsafe patterns and reserved characters cannot change a query")
async def test_an_id_cannot_widen_a_search(agent: Agent, hostile: str) -> None:
    assert ids(await agent.call("search_by_id", id=hostile)) == set()


@seed("667", "A kind that does not exist finds nothing, and the closest ones are named")
async def test_an_unknown_kind_comes_with_the_closest(agent: Agent) -> None:
    unknown = await agent.call("search_by_kind", kind="opendes:osdu:wel:1.0.0")
    assert (unknown["success"], unknown["totalCount"]) == (True, 0)
    assert "opendes:osdu:well:1.0.0" in unknown["hints"]["closest_kinds"]


@seed("684", "Offset-based pagination")
async def test_pages_by_offset(agent: Agent) -> None:
    sort = {"field": ["id"]}
    pages = [await agent.call("search_by_kind", kind="*:*:*:*", limit=2, offset=at, sort=sort) for at in (0, 2)]
    assert [record["id"] for page in pages for record in page["results"]] == [REFERENCE, ACTIVE, CLOSED, BORE]
    assert all(page["totalCount"] == 4 for page in pages)


@seed("328", "A page that leaves something out says what, and how to get it")
async def test_a_page_says_what_it_leaves_out(agent: Agent, osdu: OsduServer) -> None:
    log = {"id": "a:log:1", "kind": PARAMETER, "data": {"Name": "log", "Curve": list(range(600))}}
    osdu.answer = json.dumps({"results": [log, log | {"id": "a:log:2"}], "totalCount": 2}).encode()
    result = await agent.call("search_by_kind", kind=PARAMETER, max_chars=1_000)
    assert result["results"][0]["shortened"] == ["data.Curve"]
    assert result["truncated"]
    assert "max_chars" in result["fix"]["required_action"]


@seed("686", "Results respect the ACL: of the service account, as status and doctor say")
async def test_records_that_the_account_may_not_see_stay_hidden(agent: Agent, service: Service) -> None:
    for tool, arguments in (*CALLS, ("search_query", {"query": "*"}), ("search_by_id", {"id": HIDDEN})):
        assert HIDDEN not in ids(await agent.call(tool, **arguments))
    assert json.loads(await agent.resource("trawl://status"))["rights"]["osdu"] == "service account"
    doctor = trawl("doctor", folder=service.folder).stdout
    assert "osdu: configured; every caller finds what its service account may read" in doctor


@pytest.mark.parametrize(("shape", "found"), rows(rows_000.SHAPES))
async def test_places(agent: Agent, shape: dict[str, Any], found: set[str]) -> None:
    spatial = {"field": "data.SpatialLocation.Wgs84Coordinates", **shape}
    assert ids(await agent.call("search_query", query="*", spatial_filter=spatial)) == found


@seed("703", "Aggregation: counts of values")
async def test_values_are_counted(agent: Agent) -> None:
    result = await agent.call("search_query", query="*", aggregate_by="data.Type.keyword", limit=1)
    assert result["aggregations"] == [{"key": "well", "count": 2}]


@seed("704", "A helper builds queries")
@seed("708", "Ranking: boosts decide the order, and _score sorts by relevance")
async def test_a_built_query_ranks_by_its_boosts(agent: Agent) -> None:
    for first, second in ((ACTIVE, CLOSED), (CLOSED, ACTIVE)):
        clauses = [
            {"field": "id", "op": "eq", "value": first, "boost": 9},
            {"field": "id", "op": "eq", "value": second, "boost": 0.5},
        ]
        built = await agent.call("osdu_build_query", clauses=clauses, combine="or")
        assert built["query"] == f'id:"{first}"^9 OR id:"{second}"^0.5'
        for sort in ({}, {"sort": {"field": ["_score"]}}):
            result = await agent.call("search_query", query=built["query"], **sort)
            assert [record["id"] for record in result["results"]] == [first, second]


@seed("105,709", "Field discovery")
async def test_fields_are_discovered(agent: Agent) -> None:
    result = await agent.call("osdu_discover_fields", kind="*:osdu:well:*")
    found = {field["path"]: field["type"] for field in result["fields"]}
    assert {"data.UWI": "string", "data.SpudDate": "date", "data.Depth": "number"}.items() <= found.items()


@seed("707", "Query caching")
async def test_an_equal_query_is_answered_from_the_cache(impatient: Service, osdu: OsduServer) -> None:
    agent = await connect(impatient.url)
    answers = [await agent.call("search_query", query="data.Name:bore") for _ in range(2)]
    assert answers[0]["results"] == answers[1]["results"] != []
    assert len(osdu.requests) == 1


@seed("663", "A query that takes too long is a time-out")
async def test_a_silent_service_is_a_time_out(impatient: Service, osdu: OsduServer) -> None:
    osdu.always = Fault(hang=True)
    failure = await (await connect(impatient.url)).call("search_query", query="data.Name:slow")
    assert (failure["error"], failure["error_category"]) == ("Search service did not answer in time", "timeout")


@seed("697", "The documentation covers the tools and their operation")
async def test_the_tools_are_documented() -> None:
    reference, operations = ((ROOT / "docs" / name).read_text("utf-8") for name in ("tools.md", "operations.md"))
    assert all(tool in reference for tool in TOOLS)
    assert "## OSDU" in operations
