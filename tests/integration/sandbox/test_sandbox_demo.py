"""`trawl serve --demo` in an empty folder: every tool, prompt and resource of OSDU and Quilt answers, and is marked."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from mcp import Client

from mcp_server.feature import operations_of
from mcp_server.features.osdu import FEATURE as OSDU
from mcp_server.features.quilt import FEATURE as QUILT
from tests.seeds.agent import Agent, connect
from tests.service import ROOT, Service, run_service

WELLS = "osdu:wks:master-data--Well:*"
CALLS: dict[str, dict[str, Any]] = {
    "search_query": {
        "query": "data.FacilityName:amber AND data.Depth:[3300 TO *]",
        "kind": WELLS,
        "aggregate_by": "data.Active",
        "highlighted_fields": ["data.FacilityName"],
        "sort": {"field": ["nested(data.VerticalMeasurements, VerticalMeasurement, max)"], "order": ["DESC"]},
    },
    "search_by_id": {"id": "sandbox:master-data--Well:amber-bank-?"},
    "search_by_kind": {"kind": "osdu:wks:master-data--SeismicAcquisitionSurvey:*"},
    "osdu_discover_fields": {"kind": WELLS},
    "osdu_build_query": {"clauses": [{"field": "data.UWI", "op": "eq", "value": "8690"}]},
    "search_catalog": {"query": "otter trawl", "scope": "all"},
    "bucket_objects_list": {"bucket": "sandbox-surveys", "prefix": "hauls/", "max_keys": 5},
}
SAMPLE_LINE = "sandbox: true"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service as `make run` starts it, with an S3 elsewhere that nobody may ask."""
    env = {"AWS_ENDPOINT_URL_S3": "http://127.0.0.1:1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "y"}
    with run_service(tmp_path_factory.mktemp("demo"), "--demo", env=env) as running:
        yield running


@pytest.fixture
async def agent(service: Service) -> Agent:
    return await connect(service.url)


def test_every_tool_of_both_has_a_call_here() -> None:
    assert {operation.name for operation in operations_of((OSDU, QUILT)) if operation.text is not None} == set(CALLS)


@pytest.mark.parametrize("tool", CALLS)
async def test_every_tool_answers_and_is_marked(agent: Agent, tool: str) -> None:
    result = await agent.call(tool, **CALLS[tool])
    assert (result["success"], result["sandbox"]) == (True, True)
    assert result.get("results") or result.get("fields") or result.get("query") or result.get("objects")
    # The text of a built query is the query alone, to be used as it is.
    assert (SAMPLE_LINE in await agent.text(tool, **CALLS[tool])) == (tool != "osdu_build_query")


async def test_tools_are_listed_as_configured(agent: Agent) -> None:
    assert all("Not configured" not in (agent.tools[tool].description or "") for tool in CALLS)


async def test_the_partition_and_the_addresses_are_those_of_a_sandbox(agent: Agent) -> None:
    records = await agent.call("search_query", query="*", limit=1)
    assert records["partition"] == "sandbox"
    assert records["results"][0]["id"].startswith("sandbox:")
    info = json.loads(await agent.resource("catalog://info"))
    assert (info["sandbox"], info["authenticated"], info["bucket_count"]) == (True, True, 2)
    assert info["search"]["backend"] == "graphql"
    for address in (info["catalog_url"], info["registry_url"]):
        assert urlsplit(address).hostname == "127.0.0.1"


async def test_the_guide_and_its_examples_work(agent: Agent) -> None:
    (message,) = (await agent.prompt("guide_search_patterns")).messages
    assert "nested(data.NameAliases" in message.content.text
    near = {"point": {"latitude": 58.4, "longitude": 1.9}, "distance": 15_000}
    spatial = {"field": "data.SpatialLocation.Wgs84Coordinates", "byDistance": near}
    for arguments in (
        {"query": 'data.UWI:"8690"'},
        {"query": "data.Name:*test*"},
        {"query": "data.SpudDate:[2020-01-01 TO 2023-12-31]"},
        {"query": 'data.ID:("qatest")', "kind": "osdu:wks:reference-data--ProcessingParameterType:1.0.0"},
        {"query": 'nested(data.NameAliases, (AliasName:"A03"))'},
        {"query": "*", "spatial_filter": spatial},
    ):
        result = await agent.call("search_query", **arguments)
        assert result["totalCount"] > 0, arguments


async def test_the_calls_in_the_documentation_find_something(agent: Agent) -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| (`\w+=.*`) \|$", (ROOT / "docs" / "sandboxes.md").read_text("utf-8"), re.MULTILINE
    )
    assert len(rows) > 5
    for tool, given in rows:
        arguments = dict(each.split("=", 1) for each in re.findall(r"`([^`]+)`", given))
        result = await agent.call(tool, **{name: ast.literal_eval(value) for name, value in arguments.items()})
        assert result["success"], (tool, given, result)
        assert result.get("results") or result.get("fields") or result.get("objects"), (tool, given)


async def test_reading_on_by_cursor_reaches_every_record(agent: Agent) -> None:
    result = await agent.call("search_by_kind", kind="*:*:*:*", limit=50, detail="ids")
    seen = [each["id"] for each in result["results"]]
    while (cursor := result["next_cursor"]) is not None:
        result = await agent.call("search_by_kind", kind="*:*:*:*", limit=50, detail="ids", cursor=cursor)
        seen += [each["id"] for each in result["results"]]
    assert len(seen) == len(set(seen)) == result["totalCount"] > 100


async def test_search_everywhere_marks_hits_and_sources_of_sandboxes_only(agent: Agent) -> None:
    result = await agent.call("search_everywhere", query="trawl", limit=30)
    marks = {hit["source"]: hit.get("sandbox") for hit in result["results"]}
    assert marks["quilt"] is True
    assert marks["indices"] is None
    assert {outcome["source"]: outcome.get("sandbox") for outcome in result["sources"]} == {
        "archive": None,
        "indices": None,
        "osdu": True,
        "quilt": True,
    }
    assert "quilt (sandbox)" in await agent.text("search_everywhere", query="trawl", limit=30)


async def test_search_and_fetch_mark_what_comes_from_a_sandbox(agent: Agent) -> None:
    hits = (await agent.call("search", query="amber bank resistivity"))["results"]
    assert hits
    assert all(hit["sandbox"] is True for hit in hits)
    document = await agent.call("fetch", id=hits[0]["id"])
    assert document["sandbox"] is True
    local = (await agent.call("search", query="persistent identifiers"))["results"]
    assert local
    assert not any("sandbox" in hit for hit in local)


async def test_the_status_says_what_is_a_sandbox(agent: Agent) -> None:
    status = json.loads(await agent.resource("trawl://status"))
    assert (status["sandbox"], status["sandboxes"]) == (True, ["osdu", "quilt"])
    assert status["sources"]["osdu"] == status["sources"]["quilt"] == "configured"


async def test_buckets_that_are_not_in_the_sandbox_do_not_exist(agent: Agent) -> None:
    failure = await agent.call("bucket_objects_list", bucket="somebody-elses")
    assert (failure["success"], failure["error_category"]) == (False, "not_found")


async def test_results_over_http_are_marked_too(service: Service) -> None:
    async with httpx.AsyncClient(base_url=service.url, trust_env=False, timeout=60) as client:
        found = await client.post("/api/v1/osdu/search", json={"query": "amber"})
        listed = await client.get("/api/v1/quilt/buckets/sandbox-sensors/objects")
        described = await client.get("/api/v1/quilt/info")
        status = await client.get("/api/v1/status")
    assert all(answer.json()["sandbox"] is True for answer in (found, listed, described, status))


async def test_upstreams_with_settings_are_left_alone(tmp_path_factory: pytest.TempPathFactory) -> None:
    env = {"TRAWL_OSDU_URL": "http://127.0.0.1:1", "TRAWL_OSDU_PARTITION": "p", "TRAWL_OSDU_TOKEN": "t"}
    with run_service(tmp_path_factory.mktemp("real"), "--demo", env=env) as running:
        agent = await connect(running.url)
        real = await agent.call("search_query", query="*")
        sample = await agent.call("search_catalog", query="trawl")
        status = json.loads(await agent.resource("trawl://status"))
    assert (real["success"], real["error_category"]) == (False, "unavailable")
    assert sample["sandbox"] is True
    assert status["sandboxes"] == ["quilt"]


async def test_without_demo_there_is_no_sandbox(tmp_path_factory: pytest.TempPathFactory) -> None:
    with run_service(tmp_path_factory.mktemp("plain")) as running:
        agent = await connect(running.url)
        assert (await agent.call("search_query", query="*"))["error_category"] == "not_configured"
        async with Client(f"{running.url}/mcp") as client:
            (contents,) = (await client.read_resource("trawl://status")).contents
    assert "sandbox" not in contents.text
