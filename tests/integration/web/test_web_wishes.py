"""Dates, types of pages and regions: what is wished for reaches the provider, and what cannot be is refused."""

from typing import Any

import pytest

from mcp_server.features.web.settings import ACADEMIC
from tests.upstreams.openai import OpenAiServer
from tests.upstreams.openai_caller import Asker, Caller, asking, settings

QUERY = "are the reefs of Belize well"


async def test_wishes_reach_the_provider(ask: Asker, openai: OpenAiServer) -> None:
    assert (await ask(QUERY, freshnessHours=36, region="AE", maxResults=7))["success"]
    (request,) = openai.requests
    assert request.body["tools"][0]["user_location"] == {"type": "approximate", "country": "AE"}
    assert "36 hours" in request.text
    assert "7" in request.body["instructions"]


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"publishedAfter": "2026-01-31"}, "published on 2026-01-31 or later"),
        ({"publishedBefore": "20260131"}, "published on 2026-01-31 or earlier"),
        (
            {"publishedAfter": "2026-01-01", "publishedBefore": "2026-01-31"},
            "published on 2026-01-01 or later and on 2026-01-31 or earlier",
        ),
        ({"publishedAfter": "2026-01-31", "publishedBefore": "2026-01-31"}, "on 2026-01-31 or earlier"),
    ],
    ids=str,
)
async def test_dates_are_told_in_words(ask: Asker, openai: OpenAiServer, wish: dict[str, Any], words: str) -> None:
    assert (await ask(QUERY, **wish))["success"]
    (body,) = openai.bodies
    assert words in body["instructions"]
    assert words in body["input"]
    assert body["input"].startswith(QUERY)


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"publishedAfter": "yesterday"}, "publishedAfter must be an ISO date"),
        ({"publishedBefore": "2026-02-30"}, "publishedBefore must be an ISO date"),
        ({"publishedBefore": ""}, "publishedBefore must be an ISO date"),
        ({"publishedAfter": "2026-01-01T10:00:00Z"}, "publishedAfter must be an ISO date"),
        (
            {"publishedAfter": "2026-02-01", "publishedBefore": "2026-01-31"},
            "publishedAfter must not be later than publishedBefore",
        ),
    ],
    ids=str,
)
async def test_wrong_dates_are_refused(call: Caller, openai: OpenAiServer, wish: dict[str, Any], message: str) -> None:
    result = await call(QUERY, **wish)
    assert (result["code"], result["error"]) == ("VALIDATION", message)
    assert result["fix"]["required_action"]
    assert openai.requests == []


async def test_other_dates_and_types_are_other_questions(ask: Asker, openai: OpenAiServer) -> None:
    wishes: list[dict[str, Any]] = [
        {},
        {"publishedAfter": "2026-01-01"},
        {"publishedBefore": "2026-01-01"},
        {"type": "news"},
        {"type": "academic"},
        {"publishedAfter": "20260101"},
    ]
    results = [await ask(QUERY, **wish) for wish in wishes]
    assert [result["cached"] for result in results] == [False, False, False, False, False, True]
    assert len(openai.requests) == 5


async def test_each_type_has_its_domains_and_its_words(ask: Asker, openai: OpenAiServer) -> None:
    for kind in ("general", "news", "academic"):
        assert (await ask(QUERY, type=kind))["success"]
    general, news, academic = openai.bodies
    assert "filters" not in general["tools"][0]
    assert "filters" not in news["tools"][0]
    assert academic["tools"][0]["filters"] == {"allowed_domains": list(ACADEMIC)}
    assert "news organizations" in news["instructions"]
    assert "scholarly" in academic["instructions"]
    assert not {"news organizations", "scholarly"} & set(general["instructions"].split())


@pytest.mark.parametrize(
    ("given", "kind", "domains"),
    [
        ({"news_domains": "a.org, B.org"}, "news", ["a.org", "b.org"]),
        ({"academic_domains": "none"}, "academic", None),
        ({"academic_domains": "none", "allowed_domains": "a.org"}, "academic", ["a.org"]),
        ({"news_domains": "a.org,b.org", "allowed_domains": "b.org,c.org"}, "news", ["b.org"]),
        ({"news_domains": "a.org", "allowed_domains": "news.a.org,c.org"}, "news", ["news.a.org"]),
        ({"news_domains": "news.a.org", "allowed_domains": "a.org"}, "news", ["news.a.org"]),
        ({"news_domains": "a.org", "allowed_domains": "b.org"}, "general", ["b.org"]),
        ({"allowed_domains": "nature.com,example.com"}, "academic", ["nature.com"]),
    ],
    ids=str,
)
async def test_settings_decide_where_a_type_is_searched(
    openai: OpenAiServer, given: dict[str, str], kind: str, domains: list[str] | None
) -> None:
    async with asking(settings(openai.url, **given)) as ask:
        assert (await ask(QUERY, type=kind))["success"]
    filters = openai.bodies[0]["tools"][0].get("filters")
    assert filters == (None if domains is None else {"allowed_domains": domains})


async def test_a_type_without_an_allowed_domain_is_refused(openai: OpenAiServer) -> None:
    async with asking(settings(openai.url, allowed_domains="example.com")) as ask:
        result = await ask(QUERY, type="academic")
    assert (result["code"], result["error"]) == ("VALIDATION", "No domain for type academic is allowed here")
    assert "TRAWL_WEB_ACADEMIC_DOMAINS" in result["fix"]["required_action"]
    assert openai.requests == []
