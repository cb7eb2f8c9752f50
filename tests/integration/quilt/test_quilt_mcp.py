"""Quilt's tools as agents call them: in memory and over real HTTP, beside all other tools."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import jsonschema  # type: ignore[import-untyped] # ships no types
import pytest
import uvicorn
from mcp import Client
from mcp.types import CallToolResult, TextContent

from indexer.library import Library
from mcp_server.features.quilt.settings import QuiltSettings
from mcp_server.protocol.http import McpApp
from mcp_server.protocol.server import OperationServer, build_server
from mcp_server.upstream.upstreams import Upstreams
from tests.made_services import MAIN, made_upstreams, with_jobs
from tests.service import standalone
from tests.upstreams.quilt import QuiltServer
from tests.upstreams.quilt_caller import found, settings
from tests.upstreams.quilt_contents import ALPHA, sample_contents
from tests.upstreams.quilt_routes import BOTH, named, take
from tests.upstreams.search_engines import MEMORY

ENGINES = (MEMORY,)

TOOLS = ("search_catalog", "bucket_objects_list")


def built(library: Library, upstreams: Upstreams) -> OperationServer:
    return build_server(with_jobs(library, upstreams), MAIN)


@asynccontextmanager
async def connected(library: Library, quilt: QuiltSettings) -> AsyncIterator[Client]:
    upstreams = made_upstreams(quilt=quilt)
    try:
        async with Client(built(library, upstreams)) as client:
            yield client
    finally:
        await upstreams.aclose()


@asynccontextmanager
async def served(library: Library, quilt: QuiltSettings) -> AsyncIterator[str]:
    """Serve on a free port; the socket listens before the server runs, so nobody has to wait for it."""
    upstreams = made_upstreams(quilt=quilt)
    app = standalone(McpApp(built(library, upstreams)))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on"))
        serving = asyncio.create_task(server.serve([listening]))
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            await serving
            await upstreams.aclose()


async def answer(client: Client, tool: str, **arguments: Any) -> tuple[dict[str, Any], str]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    structured: dict[str, Any] = result.structured_content
    return structured, text_of(result)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def test_the_tools_are_listed_as_what_they_are(library: Library) -> None:
    async with connected(library, settings("http://127.0.0.1:1", token=None)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    for name in TOOLS:
        annotations = tools[name].annotations
        assert annotations is not None
        assert (annotations.read_only_hint, annotations.open_world_hint) == (True, True)
        assert not annotations.destructive_hint
        assert tools[name].title
    assert "bucket_objects_list" in (tools["search_catalog"].description or "")
    assert "search_catalog" in (tools["bucket_objects_list"].description or "")


@pytest.mark.parametrize("route", BOTH)
async def test_an_agent_finds_and_reads_on(quilt: QuiltServer, library: Library, route: str) -> None:
    take(quilt, route)
    async with connected(library, settings(quilt.url)) as client:
        schemas = {tool.name: tool.output_schema or {} for tool in (await client.list_tools()).tools}
        pages: list[dict[str, Any]] = []
        more: dict[str, Any] = {}
        while not pages or pages[-1]["next_cursor"] is not None:
            result, text = await answer(client, "search_catalog", query="salmon", limit=10, **more)
            jsonschema.validate(result, schemas["search_catalog"])
            pages.append(result)
            more = {"cursor": result["next_cursor"]}
            assert all(each["id"] in text for each in result["results"])
            assert result["next_cursor"] is None or result["next_cursor"] in text
    contents = sample_contents()
    assert sorted(found(*pages)) == named([*contents.objects_with("salmon"), *contents.packages_with("salmon")])
    assert pages[0]["query"] == "salmon"
    assert (pages[0]["scope"], pages[0]["bucket"]) == ("all", None)
    assert isinstance(pages[0]["query_time_ms"], int)


@pytest.mark.parametrize("era", ["2026-07-28", "legacy"])
async def test_a_search_over_http_gives_the_same_result(quilt: QuiltServer, library: Library, era: str) -> None:
    async with served(library, settings(quilt.url)) as url, Client(url, mode=era) as client:
        result, text = await answer(client, "search_catalog", query="salmon", scope="object", bucket=ALPHA)
        failed, told = await answer(client, "search_catalog", query="salmon", bucket="no-such-bucket")
    assert sorted(found(result)) == named(sample_contents().objects_with("salmon", buckets=[ALPHA]))
    assert result["results"][0]["s3_uri"] in text or result["results"][0]["id"] in text
    assert failed["success"] is False
    assert failed["error"] in told
    assert failed["fix"]["required_action"] in told


async def test_a_failure_is_a_result_that_says_what_to_do(quilt: QuiltServer, library: Library) -> None:
    async with connected(library, settings(quilt.url, token=None)) as client:
        schemas = {tool.name: tool.output_schema or {} for tool in (await client.list_tools()).tools}
        result, text = await answer(client, "search_catalog", query="salmon")
        jsonschema.validate(result, schemas["search_catalog"])
    assert (result["success"], result["error_category"]) == (False, "authentication")
    assert result["error"] == "Search catalog requires authentication"
    for said in (result["error"], result["fix"]["required_action"], "TRAWL_QUILT_TOKEN", "bucket_objects_list"):
        assert said in text
    assert quilt.kinds("introspection", "graphql", "search") == []


WRONG: list[dict[str, Any]] = [
    {},
    {"query": 5},
    {"query": "a", "scope": "everything"},
    {"query": "a", "limit": 0},
    {"query": "a", "limit": 1_001},
    {"query": "a", "order": "worst"},
    {"query": "a", "unknown": 1},
    {"query": "a", "count_only": "perhaps"},
]


async def test_what_breaks_the_schema_is_refused(quilt: QuiltServer, library: Library) -> None:
    async with connected(library, settings(quilt.url)) as client:
        for arguments in WRONG:
            result = await client.call_tool("search_catalog", arguments)
            assert result.is_error, arguments
            assert "search_catalog" in text_of(result)
    assert quilt.requests == []


async def test_the_catalog_is_described_by_a_resource(quilt: QuiltServer, library: Library) -> None:
    async with connected(library, settings(quilt.url)) as client:
        assert "catalog://info" in {str(each.uri) for each in (await client.list_resources()).resources}
        assert quilt.requests == []
        await answer(client, "search_catalog", query="salmon")
        (contents,) = (await client.read_resource("catalog://info")).contents
    info = json.loads(contents.text)  # type: ignore[union-attr] # it is text
    assert (info["catalog_url"], info["registry_url"]) == (quilt.url, quilt.url + quilt.registry_path)
    assert info["authenticated"] is True
    assert info["search"]["backend"] == "graphql"
