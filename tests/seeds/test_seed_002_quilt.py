"""What the document "Search Catalog Tool" asks for, with a Quilt catalog's wire format over real HTTP."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped] # ships no types
import pytest
import pytest_asyncio

from app.sandbox.quilt.indices import indices_of
from tests.seeds import rows_002
from tests.seeds.agent import Agent, connect
from tests.seeds.requirements import rows, seed
from tests.seeds.rows_002 import AUTHENTICATION, ELASTICSEARCH, NEITHER, ONLY_IN_S3, SALMON, STATUS
from tests.service import Service, run_service
from tests.upstreams.quilt import API_KEY, Catalogue, QuiltServer, quilt_server
from tests.upstreams.quilt_contents import ALPHA, BETA
from tests.upstreams.quilt_s3 import S3Endpoint, s3_endpoint
from tests.upstreams.search_engines import OPENSEARCH, engine_with

TITLE = "Seed 002: Quilt catalog search"
DEVIATIONS = rows_002.DEVIATIONS

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def upstream(request: pytest.FixtureRequest) -> AsyncIterator[QuiltServer]:
    with engine_with(OPENSEARCH, request, indices_of(rows_002.CONTENTS)) as engine:
        async with quilt_server(Catalogue(engine, rows_002.CONTENTS)) as server:
            yield server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def s3() -> AsyncIterator[S3Endpoint]:
    async with s3_endpoint(ONLY_IN_S3) as endpoint:
        yield endpoint


@pytest.fixture
def quilt(upstream: QuiltServer, s3: S3Endpoint) -> QuiltServer:
    """The same catalog for all tests, without what it was asked before."""
    change(upstream, generation=3, elasticsearch=True, denied=set(), always={}, bearers={API_KEY: float("inf")})
    upstream.requests.clear()
    s3.asked.clear()
    return upstream


def change(quilt: QuiltServer, **attributes: Any) -> None:
    for name, value in attributes.items():
        setattr(quilt, name, value)


def started(factory: pytest.TempPathFactory, s3: S3Endpoint, **given: str) -> Any:
    env = {f"TRAWL_QUILT_{name}": value for name, value in given.items()} | {"AWS_ENDPOINT_URL_S3": s3.url}
    env |= {"AWS_ACCESS_KEY_ID": "made-up", "AWS_SECRET_ACCESS_KEY": "made-up", "AWS_DEFAULT_REGION": "us-east-1"}
    return run_service(factory.mktemp("service"), env=env)


@pytest.fixture(scope="module")
def service(upstream: QuiltServer, s3: S3Endpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    given = {"CATALOG_URL": upstream.url, "TOKEN": API_KEY, "CACHE_SECONDS": "0"}
    with started(tmp_path_factory, s3, **given) as running:
        yield running


@pytest.fixture(scope="module")
def anonymous(upstream: QuiltServer, s3: S3Endpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that knows the catalog and has no token."""
    upstream.requests.clear()
    with started(tmp_path_factory, s3, CATALOG_URL=upstream.url) as running:
        assert upstream.requests == [], "starting asks nothing"
        yield running


async def info(agent: Agent) -> dict[str, Any]:
    return dict(json.loads(await agent.resource("catalog://info")))


@seed("11-12,18-24,109-112,184,207", "Only the catalog's index is searched, never S3")
async def test_a_search_never_lists_s3(agent: Agent, quilt: QuiltServer, s3: S3Endpoint) -> None:
    for stack in ({}, ELASTICSEARCH):
        change(quilt, **stack)
        for query in ("sturgeon", "data", "*"):
            result = await agent.call("search_catalog", query=query, refresh=True)
            assert ONLY_IN_S3 not in {hit["name"] for hit in result["results"]}
        assert result["total_results"] == 3
    assert s3.asked == []
    assert "bucket_objects_list" in (agent.tools["search_catalog"].description or "")


@pytest.mark.parametrize(("stack", "backend", "kind"), rows(rows_002.SELECTION))
@seed("30-31,128-130,208", "One backend a call, named by the single field backend_used")
async def test_one_backend_is_selected(
    agent: Agent, quilt: QuiltServer, stack: dict[str, Any], backend: str, kind: str
) -> None:
    change(quilt, **stack)
    await agent.call("search_catalog", query="salmon", refresh=True)
    quilt.requests.clear()
    result = await agent.call("search_catalog", query="salmon")
    assert (result["success"], result["backend_used"]) == (True, backend)
    assert "backends_used" not in result
    assert {request.kind for request in quilt.requests} == {kind}, "no fan-out to the other one"


@seed("35-36,151,187", "A missing token is told before any request goes out")
@seed("61-69,210", "The failure has the fields of the example")
async def test_without_a_token_nothing_is_asked(anonymous: Service, quilt: QuiltServer) -> None:
    agent = await connect(anonymous.url)
    failure = await agent.call("search_catalog", query="salmon")
    assert AUTHENTICATION.items() <= failure.items()
    assert "TRAWL_QUILT_TOKEN" in failure["fix"]["command"]
    assert failure["alternatives"]["bucket_objects_list"].startswith("List S3 objects")
    assert (failure["details"]["authenticated"], failure["details"]["catalog_url"]) == (False, quilt.url)
    assert quilt.requests == []


@seed("150-152", "Nothing is initialised or refused before the first use")
async def test_a_service_without_a_token_starts_and_lists_its_tools(anonymous: Service, quilt: QuiltServer) -> None:
    agent = await connect(anonymous.url)
    assert {"search_catalog", "bucket_objects_list"} <= set(agent.tools)
    assert (await info(agent))["search"] == {
        "available": False,
        "backend": None,
        "capabilities": [],
        "status": "authentication_required",
    }
    assert quilt.requests == []


@seed("26,46-47,123,209", "Without a backend the search fails and returns no results")
@seed("25,195-201", "An agent gets an explicit failure and switches to bucket_objects_list")
async def test_an_agent_goes_from_the_failure_to_the_listing(agent: Agent, quilt: QuiltServer, s3: S3Endpoint) -> None:
    change(quilt, **NEITHER)
    failure = await agent.call("search_catalog", query="sturgeon", bucket=ALPHA, refresh=True)
    assert (failure["success"], failure["error"]) == (False, "This catalog has no search")
    assert failure["error_category"] == "not_applicable"
    assert "results" not in failure
    assert s3.asked == []
    (tool,) = failure["alternatives"]
    listing = await agent.call(tool, bucket=ALPHA)
    assert (tool, listing["is_listing"]) == ("bucket_objects_list", True)
    assert [item["key"] for item in listing["objects"]] == [ONLY_IN_S3]


@pytest.mark.parametrize(("stack", "arguments", "category"), rows(rows_002.FAILURES))
@seed("52-57,186,188", "Every failure has a message, a category, a fix and alternatives")
@seed("138,157-178,210", "Every failure has the fields and types of the schema")
@seed("217-238", "A failure is a result with success: false, not an error of the tool")
async def test_every_failure_says_what_to_do(
    agent: Agent, quilt: QuiltServer, stack: dict[str, Any], arguments: dict[str, Any], category: str
) -> None:
    change(quilt, **stack)
    failure = await agent.call("search_catalog", query="salmon", refresh=True, **arguments)
    jsonschema.validate(failure, rows_002.ERROR_SCHEMA)
    assert failure["error_category"] == category
    assert failure["details"]["catalog_url"] == quilt.url
    assert failure["fix"]["required_action"] in await agent.text(
        "search_catalog", query="salmon", refresh=True, **arguments
    )


@seed("55,167", "Without a catalog the failure is not_configured, and catalog_url is null")
async def test_without_settings_the_failure_names_them(
    s3: S3Endpoint, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with started(tmp_path_factory, s3) as running:
        failure = await (await connect(running.url)).call("search_catalog", query="salmon")
    jsonschema.validate(failure, rows_002.ERROR_SCHEMA)
    assert (failure["error_category"], failure["details"]["catalog_url"]) == ("not_configured", None)


@seed("134,163,211,236", "The tool lists the fields of both models of responses, told apart by success")
async def test_the_models_of_responses_are_listed(agent: Agent) -> None:
    schema = agent.tools["search_catalog"].output_schema or {}
    assert {"results", "backend_used", "backend_status", *rows_002.ERROR_FIELDS} <= set(schema["properties"])
    assert (schema["properties"]["success"], schema["required"]) == ({"type": "boolean"}, ["success"])


@seed("221-222,237", "An error of the tool is left to what is no search at all")
async def test_what_breaks_the_schema_is_an_error_of_the_tool(agent: Agent, quilt: QuiltServer) -> None:
    assert "scope" in await agent.refusal("search_catalog", query="salmon", scope="everything")
    assert quilt.requests == []


@seed("71-78,82-89,143-145", "catalog://info and results hold the status, exactly as in the example")
async def test_the_status_is_that_of_the_example(agent: Agent, quilt: QuiltServer) -> None:
    change(quilt, **ELASTICSEARCH)
    result = await agent.call("search_catalog", query="salmon", refresh=True)
    assert result["backend_status"] == STATUS
    described = await info(agent)
    assert described["search"] == STATUS
    assert (described["catalog_url"], described["authenticated"]) == (quilt.url, True)


@seed("107", "The catalog's buckets are known")
@seed("146", "Each backend tells what it is capable of")
async def test_each_backend_tells_its_capabilities_and_buckets(agent: Agent, quilt: QuiltServer) -> None:
    for stack, backend in (({}, "graphql"), (ELASTICSEARCH, "elasticsearch")):
        change(quilt, **stack)
        status = (await agent.call("search_catalog", query="salmon", refresh=True))["backend_status"]
        assert (status["backend"], set(STATUS["capabilities"]) <= set(status["capabilities"])) == (backend, True)
        described = await info(agent)
        assert (described["buckets"], described["bucket_count"]) == ([ALPHA, BETA], 2)


@pytest.mark.parametrize(("stack", "arguments", "names"), rows(rows_002.FOUND))
@seed("226", "success: true when the search succeeded and returned results")
async def test_each_backend_searches_what_it_should(
    agent: Agent, quilt: QuiltServer, stack: dict[str, Any], arguments: dict[str, Any], names: list[str]
) -> None:
    change(quilt, **stack)
    result = await agent.call("search_catalog", refresh=True, **arguments)
    assert (result["success"], result["total_results"]) == (True, len(names))
    assert [hit["name"] for hit in result["results"]] == names


@seed("153", "refresh detects the backend again; the status follows the last answer")
async def test_refresh_looks_again(agent: Agent, quilt: QuiltServer) -> None:
    assert (await agent.call("search_catalog", query="salmon", refresh=True))["backend_used"] == "graphql"
    change(quilt, **ELASTICSEARCH)
    renewed = await agent.call("search_catalog", query="salmon", refresh=True)
    assert (renewed["backend_used"], renewed["results"][0]["name"]) == ("elasticsearch", SALMON)
    quilt.bearers.clear()
    refused = await agent.call("search_catalog", query="salmon")
    assert refused["details"]["backend_status"]["status"] == "authentication_required"
    assert (await info(agent))["search"]["status"] == "authentication_required"
    quilt.bearers[API_KEY] = float("inf")
    assert (await info(agent))["search"] == STATUS
