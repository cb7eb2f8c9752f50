"""Limits over HTTP: too fast is 429 with Retry-After, full is 409, and what the caller is told of its limits."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from indexer.library import Library
from mcp_server.access.token_format import new_token
from tests.integration.teams.conftest import Issue, bearer
from tests.modern import modern_request
from tests.redis import RedisServer
from tests.service import application

LIST = "/api/v1/indices"
Open = Callable[..., Any]


@pytest.fixture
def open_service(tmp_path: Path, library: Library) -> Open:
    """Open a web process of the same service; several share the library and Redis."""

    @asynccontextmanager
    async def opened(redis_url: str | None = None, **limits: Any) -> AsyncIterator[httpx.AsyncClient]:
        worker = {"redis_url": redis_url}
        async with application(tmp_path, library=library, auth="on", mcp=limits, worker=worker) as client:
            yield client

    return opened


async def statuses(client: httpx.AsyncClient, headers: dict[str, str], number: int) -> list[int]:
    return [(await client.get(LIST, headers=headers)).status_code for _ in range(number)]


async def test_too_fast_is_429_and_says_when_to_call_again(open_service: Open, issue: Issue) -> None:
    token = bearer(issue())
    async with open_service(calls_per_minute=6, calls_burst=2) as client:
        assert await statuses(client, token, 2) == [200, 200]
        answer = await client.get(LIST, headers=token)
        assert answer.status_code == 429
        assert answer.headers["retry-after"] == "10"
        failure = answer.json()
        assert failure["error_category"] == "rate_limit"
        assert failure["details"] == {"limit": {"name": "calls_per_minute", "number": 6}, "retry_after_s": 10}
        assert failure["fix"]["required_action"] == "Wait 10 seconds, then call again"
        assert (await client.get("/livez")).status_code == 200
        assert (await client.get(LIST, headers=bearer(issue()))).status_code == 200, "another token has its own"


async def test_over_mcp_too_fast_is_a_failure_that_says_when_to_call_again(open_service: Open, issue: Issue) -> None:
    headers, body = modern_request("tools/call", {"name": "search_list_indices", "arguments": {}})
    headers |= bearer(issue())
    async with open_service(calls_per_minute=6, calls_burst=1) as client:
        results = [(await client.post("/mcp", json=body, headers=headers)).json()["result"] for _ in range(2)]
    first, second = (result["structuredContent"] for result in results)
    assert first["success"]
    assert (second["success"], second["error_category"]) == (False, "rate_limit")
    assert second["details"]["retry_after_s"] == 10
    assert not results[1]["isError"]


async def test_a_resource_that_is_read_too_fast_says_when_to_read_it_again(open_service: Open, issue: Issue) -> None:
    headers, body = modern_request("resources/read", {"uri": "trawl://status"})
    headers |= bearer(issue())
    async with open_service(calls_per_minute=6, calls_burst=1) as client:
        first, second = [(await client.post("/mcp", json=body, headers=headers)).json() for _ in range(2)]
    assert "result" in first
    assert second["error"]["data"]["details"]["retry_after_s"] == 10


async def test_two_processes_share_the_limit_of_a_token(open_service: Open, issue: Issue, redis_url: str) -> None:
    token = bearer(issue())
    limits = {"calls_per_minute": 1, "calls_burst": 6}
    async with open_service(redis_url, **limits) as first, open_service(redis_url, **limits) as second:
        assert await statuses(first, token, 4) == [200] * 4
        assert await statuses(second, token, 4) == [200, 200, 429, 429]
        assert await statuses(first, token, 1) == [429]


async def test_while_redis_is_away_each_process_limits_by_itself(
    open_service: Open, issue: Issue, own_redis: Callable[..., RedisServer]
) -> None:
    redis = own_redis()
    limits = {"calls_per_minute": 1, "calls_burst": 3}
    async with open_service(redis.url, **limits) as first, open_service(redis.url, **limits) as second:
        token = bearer(issue())
        assert await statuses(first, token, 1) == [200]
        redis.kill()
        assert await statuses(first, token, 4) == [200, 200, 200, 429]
        assert await statuses(second, token, 4) == [200, 200, 200, 429]


async def test_full_is_409_and_names_the_limit(tmp_path: Path, library: Library, issue: Issue) -> None:
    token = bearer(issue())
    path = "/api/v1/indices/default/documents"
    async with application(
        tmp_path, library=library, auth="on", indexer={"max_documents": 2}, mcp={"max_jobs": 1}
    ) as client:
        documents = [{"doc_id": name, "content": "a reef"} for name in "ab"]
        assert (await client.post(path, json={"documents": documents}, headers=token)).status_code == 200
        full = await client.post(path, json={"documents": [{"doc_id": "c", "content": "a"}]}, headers=token)
        assert full.status_code == 409
        assert full.json()["error"] == "This team has reached its limit of 2 documents"
        assert full.json()["error_category"] == "conflict"
        assert full.json()["details"] == {"limit": {"name": "documents", "number": 2, "used": 2}}
        assert "TRAWL_MAX_DOCUMENTS" in full.json()["fix"]["required_action"]
        assert (await client.put(f"{path}/a", json={"content": "a boat"}, headers=token)).status_code == 200
        assert (await client.put(f"{path}/d", json={"content": "a boat"}, headers=token)).status_code == 409
        ingest = {"source": {"type": "urls", "urls": ["https://example.org/"]}}
        answers = [await client.post("/api/v1/archives/ingest", json=ingest, headers=token) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 409]
        upload = await client.post("/api/v1/archives/upload", files={"files": ("a.md", b"# A")}, headers=token)
        assert upload.json()["details"] == {"limit": {"name": "jobs", "number": 1, "used": 1}}
        metrics = (await client.get("/metrics", headers=token)).text
        assert 'trawl_refused_total{limit="documents"} 2.0' in metrics
        assert 'trawl_refused_total{limit="jobs"} 2.0' in metrics


async def test_a_team_of_many_callers_is_bounded_and_another_team_searches_meanwhile(
    open_service: Open, issue: Issue
) -> None:
    red, blue = bearer(issue("red")), bearer(issue("blue"))
    async with open_service(calls_burst=1_000, searches_per_team=1) as client:
        asked = [client.post(f"{LIST}/default/search", json={"query": "reef"}, headers=red) for _ in range(40)]
        asked.append(client.post(f"{LIST}/default/search", json={"query": "reef"}, headers=blue))
        answers = await asyncio.gather(*asked)
    assert [answer.status_code for answer in answers] == [200] * 41, "they wait for each other, and not for long"


async def test_my_account_shows_my_limits(open_service: Open, issue: Issue) -> None:
    async with open_service(calls_per_minute=60, max_jobs=7) as client:
        me = (await client.get("/api/v1/me", headers=bearer(issue("green", "search")))).json()
    assert me["limits"]["calls_per_minute"] == {"limit": 60, "used": None}
    assert me["limits"]["calls_burst"] == {"limit": 100, "used": None}
    assert me["limits"]["documents"] == {"limit": None, "used": 0}
    assert me["limits"]["indices"] == {"limit": 200, "used": 1}
    assert me["limits"]["jobs"] == {"limit": 7, "used": 0}


async def test_wrong_tokens_of_an_address_are_429_after_a_while_and_valid_ones_still_work(
    open_service: Open, issue: Issue
) -> None:
    valid = bearer(issue())
    async with open_service() as client:
        assert (await client.get(LIST, headers=valid)).status_code == 200
        codes = [
            (await client.get(LIST, headers={"authorization": f"Bearer {new_token()}"})).status_code for _ in range(200)
        ]
        assert set(codes[:60]) == {401}
        assert codes.count(429) > 100
        refused = await client.get(LIST, headers={"authorization": f"Bearer {new_token()}"})
        while refused.status_code != 429:
            refused = await client.get(LIST, headers={"authorization": f"Bearer {new_token()}"})
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.json()["error_category"] == "rate_limit"
        assert (await client.get(LIST, headers=valid)).status_code == 200
        without = await client.get(LIST)
        assert without.status_code == 401, "who has no token yet must learn where to get one"
