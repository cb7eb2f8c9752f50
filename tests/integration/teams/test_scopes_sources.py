"""`search_everywhere`, `search` and `fetch` ask only the sources that the caller's scopes allow."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import orjson
import pytest

from indexer.library import Library
from mcp_server.document_ids import DocumentKey
from tests.integration.teams.conftest import Issue, bearer
from tests.service import application
from tests.upstreams.osdu import OsduServer

EVERYWHERE = "/api/v1/search"
RECORD = {"id": "red:well:1", "kind": "osdu:wks:master-data--Well:1.0.0", "data": {"FacilityName": "Reef well"}}


@pytest.fixture
async def osdu() -> AsyncIterator[OsduServer]:
    async with OsduServer(None).running() as server:
        server.answer = orjson.dumps({"results": [RECORD], "totalCount": 1})
        yield server


@pytest.fixture
async def client(tmp_path: Path, library: Library, osdu: OsduServer, issue: Issue) -> AsyncIterator[httpx.AsyncClient]:
    """A service where red has an OSDU, and a document about reefs."""
    (tmp_path / "token").write_text("service-token")
    path = tmp_path / "connections.toml"
    path.write_text(f'[teams.red.osdu]\nurl = "{osdu.url}"\npartition = "red"\ntoken = "file:token"\n')
    async with application(tmp_path, library=library, auth="on", worker={"connections": path}) as client:
        document = "/api/v1/indices/default/documents/reef"
        await client.put(document, json={"content": "A coral reef"}, headers=bearer(issue("red")))
        yield client
    await library.aclose()


async def test_without_the_scope_a_source_is_left_out(
    client: httpx.AsyncClient, osdu: OsduServer, issue: Issue
) -> None:
    reader = bearer(issue("red", "search", "quilt", "web", "admin"))
    everywhere = (await client.post(EVERYWHERE, json={"query": "reef"}, headers=reader)).json()
    assert [each["source"] for each in everywhere["sources"]] == ["archive", "indices"]
    assert [each["source"] for each in everywhere["results"]] == ["indices"]
    simple = (await client.post("/api/v1/search/simple", json={"query": "reef"}, headers=reader)).json()
    assert len(simple["results"]) == 1
    assert osdu.requests == []


async def test_a_source_that_is_named_without_its_scope_is_refused_and_not_asked(
    client: httpx.AsyncClient, osdu: OsduServer, issue: Issue
) -> None:
    reader = bearer(issue("red", "search"))
    both = (
        await client.post(EVERYWHERE, json={"query": "reef", "sources": ["indices", "osdu"]}, headers=reader)
    ).json()
    indices, refused = both["sources"]
    assert indices["success"]
    assert (refused["source"], refused["error_category"]) == ("osdu", "authorization")
    assert "scope osdu" in refused["error"]
    alone = await client.post(EVERYWHERE, json={"query": "reef", "sources": ["osdu"]}, headers=reader)
    assert alone.json()["success"] is False
    id_ = DocumentKey("osdu", None, "red:well:1").encode()
    assert (await client.get(f"/api/v1/fetch/{id_}", headers=reader)).status_code == 403
    assert osdu.requests == []


async def test_with_the_scope_the_source_is_asked(client: httpx.AsyncClient, osdu: OsduServer, issue: Issue) -> None:
    both = bearer(issue("red", "search", "osdu"))
    everywhere = (await client.post(EVERYWHERE, json={"query": "reef"}, headers=both)).json()
    assert [each["source"] for each in everywhere["sources"]] == ["archive", "indices", "osdu"]
    assert osdu.requests


async def test_the_scope_of_a_source_alone_does_not_search_everywhere(
    client: httpx.AsyncClient, osdu: OsduServer, issue: Issue
) -> None:
    answer = await client.post(EVERYWHERE, json={"query": "reef"}, headers=bearer(issue("red", "osdu")))
    assert answer.status_code == 403
    assert answer.json()["details"] == {"missing_scopes": ["search"]}
    assert osdu.requests == []
