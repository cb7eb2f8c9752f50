"""What is refused before anybody is asked: lengths, words of other servers, regions, and what breaks the schema."""

from typing import Any

import pytest

from tests.upstreams.openai import OpenAiServer
from tests.upstreams.openai_caller import Asker, Caller, asking, settings

LENGTH = "Query must be 3-400 characters"
MARKET = "Use polymarket MCP server for market-related queries"
FEEDS = "Use google-news-rss MCP server for RSS feed queries"
MARKET_WORDS = ("market", "polymarket", "prediction", "event", "liquidity", "volume", "position", "bet", "odds")
FEED_WORDS = ("rss", "feed", "google news", "news feed", "subscribe")


def assert_refused(result: dict[str, Any], message: str) -> None:
    assert result["success"] is False
    assert (result["code"], result["error"], result["error_category"]) == ("VALIDATION", message, "validation")
    assert result["fix"]["required_action"]


@pytest.mark.parametrize("query", ["", "  ", "ab", " ab ", "x" * 401, "\u200b\u200b\u200b"], ids=repr)
async def test_a_question_has_3_to_400_characters(call: Caller, openai: OpenAiServer, query: str) -> None:
    assert_refused(await call(query), LENGTH)
    assert openai.requests == []


@pytest.mark.parametrize("query", ["abc", "x" * 400, f"  {'x' * 400}  ", "\U0001f420" * 400], ids=len)
async def test_the_bounds_themselves_are_allowed(ask: Asker, openai: OpenAiServer, query: str) -> None:
    assert (await ask(query))["success"]
    assert len(openai.requests) == 1


@pytest.mark.parametrize(
    ("message", "word"), [*((MARKET, word) for word in MARKET_WORDS), *((FEEDS, word) for word in FEED_WORDS)]
)
async def test_questions_of_other_servers_are_sent_there(
    ask: Asker, openai: OpenAiServer, message: str, word: str
) -> None:
    for pattern in ("{}", "What about the {}?", "({}) please", "a,{},b"):
        for written in (word, word.upper(), word.title()):
            result = await ask(pattern.format(written))
            assert_refused(result, message)
            assert word in result["details"]["rejectedKeywords"]
    assert openai.requests == []


async def test_only_the_words_that_were_found_are_told(call: Caller) -> None:
    both = await call("polymarket odds in my news feed")
    assert_refused(both, MARKET)
    assert set(both["details"]["rejectedKeywords"]) == {"polymarket", "odds"}
    feeds = await call("subscribe me to the  Google   News of today")
    assert_refused(feeds, FEEDS)
    assert set(feeds["details"]["rejectedKeywords"]) == {"subscribe", "google news"}
    assert FEEDS in call.texts[-1]


@pytest.mark.parametrize(
    "query",
    [
        "better results in preventing betting",
        "supermarkets near the marketplace",
        "feedback about breastfeeding and unsubscribed readers",
        "predictable positioning of voluminous beta blockers",
        "oddly eventful alphabet",
        "googlenews and newsfeeds",
        "carss and rsss",
    ],
)
async def test_a_word_inside_another_is_none(ask: Asker, openai: OpenAiServer, query: str) -> None:
    assert (await ask(query))["success"]
    assert len(openai.requests) == 1


@pytest.mark.parametrize(
    ("query", "message", "words"),
    [
        ("bitcoin markets", MARKET, ["market"]),
        ("election bets", MARKET, ["bet"]),
        ("trading volumes", MARKET, ["volume"]),
        ("Events, POSITIONS and predictions", MARKET, ["prediction", "event", "position"]),
        ("liquidities of two pools", MARKET, ["liquidity"]),
        ("news feeds", FEEDS, ["feed", "news feed"]),
        ("RSS feeds", FEEDS, ["rss", "feed"]),
    ],
)
async def test_plurals_are_sent_elsewhere_too(
    ask: Asker, openai: OpenAiServer, query: str, message: str, words: list[str]
) -> None:
    result = await ask(query)
    assert_refused(result, message)
    assert result["details"] == {"rejectedKeywords": words}
    assert openai.requests == []


async def test_settings_change_the_words(openai: OpenAiServer) -> None:
    given = settings(openai.url, guard_market="kalshi, order book", guard_feeds="none")
    async with asking(given) as ask:
        assert (await ask("farmers market with an rss feed"))["success"]
        refused = await ask("the Order  Book on KALSHI")
    assert_refused(refused, MARKET)
    assert set(refused["details"]["rejectedKeywords"]) == {"kalshi", "order book"}


async def test_the_environment_changes_the_words(openai: OpenAiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_WEB_GUARD_MARKET", "polymarket")
    monkeypatch.setenv("TRAWL_WEB_GUARD_FEEDS", "atom,rss")
    async with asking(settings(openai.url)) as ask:
        assert (await ask("farmers market"))["success"]
        assert_refused(await ask("polymarket"), MARKET)
        assert_refused(await ask("an Atom reader"), FEEDS)


@pytest.mark.parametrize("region", ["USA", "U", "", "XX", "ZZ", "1A", "U S", "United States"])
async def test_a_region_is_a_country_of_two_letters(call: Caller, openai: OpenAiServer, region: str) -> None:
    result = await call("are reefs well", region=region)
    assert (result["code"], result["error_category"]) == ("VALIDATION", "validation")
    assert "egion" in result["error"]
    assert openai.requests == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"maxResults": 0},
        {"maxResults": 9},
        {"maxResults": "many"},
        {"freshnessHours": 0},
        {"freshnessHours": 169},
        {"includeAnswers": "perhaps"},
        {"region": 5},
        {"max_results": 3},
        {"query": 5},
        {"type": "images"},
        {"queries": "are reefs well"},
        {"queries": ["are reefs well"]},
        {"queries": ["are reefs well"] * 5},
        {"queries": ["are reefs well", 5]},
        {"publishedAfter": 2026},
    ],
    ids=str,
)
async def test_what_breaks_the_schema_is_refused(call: Caller, openai: OpenAiServer, arguments: dict[str, Any]) -> None:
    assert "search_web" in await call.refused(**{"query": "are reefs well", **arguments})
    assert openai.requests == []


async def test_without_a_key_the_tool_says_which_setting_to_give(openai: OpenAiServer) -> None:
    async with asking(settings(openai.url, api_key=None)) as ask:
        assert not ask.service.is_configured
        result = await ask("are reefs well")
    assert (result["success"], result["error_category"]) == (False, "not_configured")
    assert "OPENAI_API_KEY" in result["fix"]["required_action"]
    assert openai.requests == []


async def test_nothing_is_contacted_before_the_first_question(ask: Asker, openai: OpenAiServer) -> None:
    assert ask.service.is_configured
    assert openai.requests == []
