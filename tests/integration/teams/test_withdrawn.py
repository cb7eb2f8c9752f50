"""Rights that are withdrawn while something is open: whatever it is, it is refused within a second.

Tokens are revoked by another library on the same records, as another process or a command on the host does it.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from mcp_server.access.token_store import IssuedToken, TokenStore
from tests.integration.teams.conftest import Issue, bearer
from tests.modern import modern_request
from tests.service import application_in_task, created_app, on_socket
from tests.upstreams.osdu import OsduServer

PLANS = "/api/v1/indices/plans"
SEARCH = f"{PLANS}/search"
OSDU = "/api/v1/osdu/search"
PAGES = {"source": {"type": "urls", "urls": ["https://example.org/"]}}
Revoke = Callable[[IssuedToken], None]


@pytest.fixture
async def osdu() -> AsyncIterator[OsduServer]:
    async with OsduServer(None).running() as server:
        record = {"id": "red:well:1", "kind": "osdu:wks:master-data--Well:1.0.0", "data": {}}
        server.answer = orjson.dumps({"results": [record], "totalCount": 1})
        yield server


@pytest.fixture
async def client(tmp_path: Path, library: Library, osdu: OsduServer, issue: Issue) -> AsyncIterator[httpx.AsyncClient]:
    """A service where red has two indices with documents, and an OSDU whose answers are cached."""
    (tmp_path / "token").write_text("service-token")
    path = tmp_path / "connections.toml"
    section = f'[teams.red.osdu]\nurl = "{osdu.url}"\npartition = "red"\ntoken = "file:token"\ncache_seconds = 60\n'
    path.write_text(section)
    settings: dict[str, Any] = {"auth": "on", "worker": {"connections": path}, "mcp": {"calls_per_minute": 0}}
    async with application_in_task(tmp_path, library=library, **settings) as client:
        for index in ("plans", "charts"):
            documents = [{"doc_id": f"{number}", "content": f"A coral reef, {number}"} for number in range(3)]
            await client.post("/api/v1/indices", json={"index_name": index}, headers=bearer(issue()))
            await client.post(
                f"/api/v1/indices/{index}/documents", json={"documents": documents}, headers=bearer(issue())
            )
        yield client
    await library.aclose()


@pytest.fixture
async def revoke(tmp_path: Path, client: httpx.AsyncClient) -> AsyncIterator[Revoke]:  # noqa: ARG001 - closed before it
    """Revoke tokens as another process does."""
    other = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path / "library"))
    store = TokenStore(other.engine.records)
    yield lambda issued: store.revoke(issued.record.team, issued.record.id) and None
    await other.aclose()


async def refused_in_a_second(ask: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
    """Ask until the answer is 401, which must come within a second; all answers before that are good."""
    deadline = time.monotonic() + 1
    while (answer := await ask()).status_code != 401:
        assert time.monotonic() < deadline, "a withdrawn right still holds after a second"
        assert answer.status_code == 200, answer.text
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]
    assert "coral" not in answer.text
    return answer


async def test_a_cursor_leads_no_further(client: httpx.AsyncClient, issue: Issue, revoke: Revoke) -> None:
    token = issue("red", "search")
    first = await client.post(SEARCH, json={"query": "reef", "k": 1}, headers=bearer(token))
    following = {"query": "reef", "k": 1, "cursor": first.json()["next_cursor"]}
    assert (await client.post(SEARCH, json=following, headers=bearer(token))).json()["results"]
    revoke(token)
    await refused_in_a_second(lambda: client.post(SEARCH, json=following, headers=bearer(token)))
    narrowed = bearer(issue("red", "search", indices=("charts",)))
    assert (await client.post(SEARCH, json=following, headers=narrowed)).status_code == 403
    again = bearer(issue("red", "search", indices=("plans",)))
    assert (await client.post(SEARCH, json=following, headers=again)).json()["results"]


async def started_job(client: httpx.AsyncClient, token: IssuedToken) -> str:
    return str((await client.post("/api/v1/archives/ingest", json=PAGES, headers=bearer(token))).json()["job_id"])


async def test_a_job_cannot_be_seen_or_cancelled_any_more(
    client: httpx.AsyncClient, issue: Issue, revoke: Revoke
) -> None:
    token = issue("red", "search", "ingest")
    job = f"/api/v1/jobs/{await started_job(client, token)}"
    assert (await client.get(job, headers=bearer(token))).json()["status"] == "queued"
    revoke(token)
    await refused_in_a_second(lambda: client.get(job, headers=bearer(token)))
    assert (await client.delete(job, headers=bearer(token))).status_code == 401
    narrowed = bearer(issue("red", "search"))
    assert (await client.delete(job, headers=narrowed)).status_code == 403
    assert (await client.get(job, headers=narrowed)).json()["status"] == "queued"


@pytest.mark.parametrize("way", ["rest", "plain", "stream"])
async def test_a_call_that_waits_is_ended(client: httpx.AsyncClient, issue: Issue, revoke: Revoke, way: str) -> None:
    token, officer = issue("red", "search", "ingest"), bearer(issue("red", "admin"))
    job = await started_job(client, token)
    wait: dict[str, Any] = {"wait_seconds": 50}
    if way == "rest":
        asked = client.get(f"/api/v1/jobs/{job}", params=wait, headers=bearer(token))
    else:
        headers, body = modern_request("tools/call", {"name": "job_status", "arguments": {"job_id": job, **wait}})
        if way == "stream":
            body["params"]["_meta"]["progressToken"] = "p"
        asked = client.post("/mcp", json=body, headers={**headers, **bearer(token)})
    waiting = asyncio.create_task(asked)
    done, _ = await asyncio.wait({waiting}, timeout=1)
    assert not done
    await asyncio.to_thread(revoke, token)
    started = time.monotonic()
    answer = await waiting
    assert time.monotonic() - started < 1
    if way == "stream":
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert "progressToken" in answer.text
        assert "structuredContent" not in answer.text
    else:
        assert answer.status_code == 401
        assert 'error="invalid_token"' in answer.headers["www-authenticate"]
    params = {"operation": "job_status"}
    records = (await client.get("/api/v1/audit", params=params, headers=officer)).json()["records"]
    assert [(record["object"], record["outcome"]) for record in records] == [(job, "cancelled")]


async def test_a_stream_is_closed_on_a_real_connection(tmp_path: Path, library: Library, issue: Issue) -> None:
    token = issue("red", "search", "ingest")
    with on_socket(created_app(tmp_path, library=library, auth="on")) as url:
        async with httpx.AsyncClient(base_url=url, trust_env=False, headers=bearer(token), timeout=30) as opened:
            wait = {"job_id": await started_job(opened, token), "wait_seconds": 50}
            headers, body = modern_request("tools/call", {"name": "job_status", "arguments": wait})
            body["params"]["_meta"]["progressToken"] = "p"
            async with opened.stream("POST", "/mcp", json=body, headers=headers) as answer:
                events = answer.aiter_text()
                assert "progressToken" in await anext(events)
                store = TokenStore(library.engine.records)
                await asyncio.to_thread(store.revoke, token.record.team, token.record.id)
                async with asyncio.timeout(1):
                    rest = "".join([event async for event in events])
            assert "structuredContent" not in rest
    await library.aclose()


async def test_an_upload_under_way_is_ended(client: httpx.AsyncClient, issue: Issue, revoke: Revoke) -> None:
    token = issue("red", "ingest")

    async def endless() -> AsyncIterator[bytes]:
        head = 'Content-Disposition: form-data; name="files"; filename="a.md"\r\nContent-Type: text/markdown'
        yield f"--part\r\n{head}\r\n\r\n".encode()
        while True:
            yield b"A coral reef\n"
            await asyncio.sleep(0.01)

    headers = {**bearer(token), "content-type": "multipart/form-data; boundary=part"}
    sending = asyncio.create_task(client.post("/api/v1/archives/upload", content=endless(), headers=headers))
    done, _ = await asyncio.wait({sending}, timeout=1)
    assert not done
    await asyncio.to_thread(revoke, token)
    started = time.monotonic()
    assert (await sending).status_code == 401
    assert time.monotonic() - started < 1


@pytest.mark.parametrize("method", ["tools/list", "resources/list", "prompts/list", "server/discover"])
async def test_a_list_is_not_given_from_memory(
    client: httpx.AsyncClient, issue: Issue, revoke: Revoke, method: str
) -> None:
    token = issue("red", "search")
    headers, body = modern_request(method)

    async def ask(issued: IssuedToken) -> httpx.Response:
        return await client.post("/mcp", json=body, headers={**headers, **bearer(issued)})

    before = await ask(token)
    assert before.json()["result"]["cacheScope"] == "private"
    revoke(token)
    await refused_in_a_second(lambda: ask(token))
    narrowed = (await ask(issue("red", "quilt"))).json()["result"]
    assert narrowed != before.json()["result"]
    assert "search_index" not in str(narrowed)


async def test_a_cached_answer_of_an_upstream_is_not_given(
    client: httpx.AsyncClient, osdu: OsduServer, issue: Issue, revoke: Revoke
) -> None:
    token = issue("red", "search", "osdu")

    def ask(issued: IssuedToken) -> Awaitable[httpx.Response]:
        return client.post(OSDU, json={"query": "well"}, headers=bearer(issued))

    assert (await ask(token)).json()["results"]
    asked = len(osdu.requests)
    assert (await ask(token)).json()["results"]
    assert len(osdu.requests) == asked, "the answer is not cached, so this shows nothing"
    revoke(token)
    await refused_in_a_second(lambda: ask(token))
    refused = await ask(issue("red", "search"))
    assert (refused.status_code, refused.json()["details"]) == (403, {"missing_scopes": ["osdu"]})
    assert "red:well" not in refused.text
    assert (await ask(issue("red", "osdu"))).json()["results"]
    assert len(osdu.requests) == asked


async def test_a_search_that_was_just_made_is_not_answered_again(
    client: httpx.AsyncClient, issue: Issue, revoke: Revoke
) -> None:
    token = issue("red", "search")

    def ask(issued: IssuedToken) -> Awaitable[httpx.Response]:
        return client.post(SEARCH, json={"query": "reef"}, headers=bearer(issued))

    assert (await ask(token)).json()["total_matches"] == 3
    revoke(token)
    await refused_in_a_second(lambda: ask(token))
    assert (await ask(issue("red", "search", indices=("charts",)))).status_code == 403
    assert (await ask(issue("red", "write"))).status_code == 403


async def test_a_token_that_expires_ends_what_it_opened(client: httpx.AsyncClient, issue: Issue) -> None:
    job = await started_job(client, issue("red", "ingest"))
    token = issue("red", "search", lifetime=2)
    started = time.monotonic()
    answer = await client.get(f"/api/v1/jobs/{job}", params={"wait_seconds": 50}, headers=bearer(token))
    assert answer.status_code == 401
    assert time.monotonic() - started < 5
