"""The catalog's search over REST, by the real application, with settings from the environment."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx

from app.http.application import create_app
from app.settings import AppSettings
from indexer.settings import IndexerSettings
from mcp_server.settings import McpSettings
from tests.service import environment
from tests.upstreams.faults import Fault
from tests.upstreams.quilt import API_KEY, REFRESH_TOKEN, QuiltServer
from tests.upstreams.quilt_caller import found
from tests.upstreams.quilt_contents import ALPHA, sample_contents
from tests.upstreams.quilt_routes import named
from tests.upstreams.search_engines import MEMORY
from workers.settings import WorkerSettings

ENGINES = (MEMORY,)

ADDRESS = "/api/v1/quilt/search"


@asynccontextmanager
async def application(folder: Path, **variables: str) -> AsyncIterator[httpx.AsyncClient]:
    with patch.dict(os.environ, environment(folder, variables), clear=True):
        app = create_app(
            AppSettings(_env_file=None),
            IndexerSettings(_env_file=None, engine="tantivy"),
            WorkerSettings(_env_file=None),
            McpSettings(_env_file=None),
        )
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client,
    ):
        yield client


async def test_the_route_answers_as_the_tool_does(quilt: QuiltServer, tmp_path: Path) -> None:
    given = {"query": "salmon", "scope": "object", "bucket": ALPHA, "limit": 4}
    variables = {"TRAWL_QUILT_CATALOG_URL": f"{quilt.url}/", "TRAWL_QUILT_TOKEN": REFRESH_TOKEN}
    async with application(tmp_path, **variables) as client:
        first = await client.post(ADDRESS, json=given)
        second = await client.post(ADDRESS, json={**given, "cursor": first.json()["next_cursor"]})
        status = (await client.get("/api/v1/status")).json()
    assert (first.status_code, second.status_code) == (200, 200)
    pages = [first.json(), second.json()]
    assert sorted(found(*pages)) == named(sample_contents().objects_with("salmon", buckets=[ALPHA]))
    assert {page["total_results"] for page in pages} == {6}
    assert status["sources"]["quilt"] == "configured"


async def test_failures_have_the_status_of_their_category(quilt: QuiltServer, tmp_path: Path) -> None:
    cases: list[tuple[dict[str, Any], Fault | None, int]] = [
        ({"query": "salmon"}, None, 200),
        ({"query": "salmon", "filters": {"colour": "red"}}, None, 422),
        ({"query": "salmon", "limit": 0}, None, 422),
        ({"query": "salmon", "bucket": "no-such-bucket"}, None, 404),
        ({"query": "trout"}, Fault(403, {"message": "no"}), 403),
        ({"query": "trout"}, Fault(429, {}, {"Retry-After": "60"}), 429),
        ({"query": "trout"}, Fault(500, b"oh"), 502),
        ({"query": "trout"}, Fault(504, b"late"), 504),
    ]
    async with application(tmp_path, TRAWL_QUILT_CATALOG_URL=quilt.url, TRAWL_QUILT_TOKEN=API_KEY) as client:
        for given, fault, status in cases:
            quilt.always = {} if fault is None else {"graphql": fault}
            reply = await client.post(ADDRESS, json=given)
            assert (reply.status_code, reply.json()["success"]) == (status, status == 200), given
            assert ("retry-after" in reply.headers) == (status == 429)
        quilt.always = {}
        quilt.generation, quilt.elasticsearch = 0, False
        assert (await client.post(ADDRESS, json={"query": "pike", "refresh": True})).status_code == 400
        del quilt.bearers[API_KEY]
        assert (await client.post(ADDRESS, json={"query": "pike", "refresh": True})).status_code == 401


async def test_without_settings_the_route_says_so(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        reply = await client.post(ADDRESS, json={"query": "salmon"})
    assert (reply.status_code, reply.json()["error_category"]) == (501, "not_configured")
