"""Web search over REST, by the real application, with settings from the environment."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import patch

import httpx

from app.http.application import create_app
from app.settings import AppSettings
from indexer.settings import IndexerSettings
from mcp_server.settings import McpSettings
from tests.service import environment
from tests.upstreams.openai import KEY, Answer, OpenAiServer, error
from tests.upstreams.openai_texts import PLAIN_ANSWER
from workers.settings import WorkerSettings

ADDRESS = "/api/v1/web/search"
STATUSES = [
    (error(401), 401, "AUTH"),
    (error(403), 401, "AUTH"),
    (error(429, "insufficient_quota"), 429, "RATE_LIMIT"),
    (error(400), 502, "PROVIDER"),
    (error(501), 502, "PROVIDER"),
    (Answer("text_alone"), 502, "PARSE"),
    (Answer(hang_up=True), 503, "PROVIDER"),
]


@asynccontextmanager
async def application(folder: Path, **variables: str) -> AsyncIterator[httpx.AsyncClient]:
    with patch.dict(os.environ, environment(folder, {"TRAWL_WEB_TIMEOUT": "60", **variables}), clear=True):
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


async def test_the_route_answers_as_the_tool_does(openai: OpenAiServer, tmp_path: Path) -> None:
    given = {"query": "are reefs well", "maxResults": 1, "region": "BZ", "freshnessHours": 24, "includeAnswers": True}
    async with application(tmp_path, OPENAI_API_KEY=KEY, OPENAI_BASE_URL=openai.url) as client:
        first, again = await client.post(ADDRESS, json=given), await client.post(ADDRESS, json=given)
    assert first.status_code == 200
    result = first.json()
    assert (result["success"], result["text"], result["cached"]) == (True, PLAIN_ANSWER, False)
    assert [citation["url"] for citation in result["citations"]] == ["https://belizereef.example/?id=7"]
    assert result["provider"] == "gpt-5-nano-web-search"
    assert again.json() == result | {"cached": True}
    assert len(openai.requests) == 1


async def test_failures_have_the_status_of_their_category(openai: OpenAiServer, tmp_path: Path) -> None:
    async with application(tmp_path, OPENAI_API_KEY=KEY, OPENAI_BASE_URL=openai.url) as client:
        for answer, status, code in STATUSES:
            openai.then(answer)
            reply = await client.post(ADDRESS, json={"query": "are reefs well"})
            told = reply.json()
            assert (reply.status_code, told["success"], told["code"]) == (status, False, code)
            assert ("retry-after" in reply.headers) == (status == 429)
        asked = len(openai.requests)
        for query in ("ab", "farmers market", "my rss reader"):
            reply = await client.post(ADDRESS, json={"query": query})
            assert (reply.status_code, reply.json()["code"]) == (422, "VALIDATION")
    assert asked == len(openai.requests) == len(STATUSES)


async def test_a_time_out_is_a_504(openai: OpenAiServer, tmp_path: Path) -> None:
    openai.always = Answer(hang=True)
    variables = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": openai.url, "TRAWL_WEB_TIMEOUT": "0.3"}
    async with application(tmp_path, **variables) as client:
        reply = await client.post(ADDRESS, json={"query": "are reefs well"})
    assert (reply.status_code, reply.json()["code"]) == (504, "PROVIDER")


async def test_settings_come_from_the_environment(openai: OpenAiServer, tmp_path: Path) -> None:
    variables = {
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": f"{openai.url}/",
        "TRAWL_WEB_MODEL": "gpt-5-mini",
        "TRAWL_WEB_MAX_OUTPUT_TOKENS": "900",
        "TRAWL_WEB_GUARD_MARKET": "polymarket,prediction market",
        "TRAWL_WEB_GUARD_FEEDS": "none",
    }
    async with application(tmp_path, **variables) as client:
        good = await client.post(ADDRESS, json={"query": "farmers market with an rss feed"})
        refused = await client.post(ADDRESS, json={"query": "a prediction market"})
        sources = (await client.get("/api/v1/status")).json()["sources"]
    assert good.json()["provider"] == "gpt-5-mini-web-search"
    assert refused.json()["details"]["rejectedKeywords"] == ["prediction market"]
    (body,) = openai.bodies
    assert (body["model"], body["max_output_tokens"]) == ("gpt-5-mini", 900)
    assert sources["web"] == "configured"


async def test_without_a_key_it_says_so(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        reply = await client.post(ADDRESS, json={"query": "are reefs well"})
        sources = (await client.get("/api/v1/status")).json()["sources"]
    assert (reply.status_code, reply.json()["error_category"]) == (501, "not_configured")
    assert "OPENAI_API_KEY" in reply.json()["fix"]["required_action"]
    assert sources["web"] == "not configured"
