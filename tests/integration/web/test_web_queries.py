"""Several queries in one call: each asked, counted and kept by itself, and one result."""

import asyncio
from typing import Any

import pytest

from tests.upstreams.openai import Answer, OpenAiServer, error
from tests.upstreams.openai_caller import Asker, Caller, asking, settings
from tests.upstreams.openai_fixtures import citation, message, response, search
from tests.upstreams.openai_texts import PLAIN_ANSWER, marker

REEFS, WHALES = "are reefs well", "are whales well"
BOTH = [REEFS, WHALES]
TEXT = (
    f"Whales sing. {marker('whales.example')} Some swim off Belize. {marker('belizereef.example', '/?id=7')} "
    f"Others dive. {marker('deep.example')}"
)
SINGING = Answer(
    body=response(
        search(),
        message(
            TEXT,
            citation(TEXT, marker("whales.example"), "https://whales.example/"),
            citation(TEXT, marker("belizereef.example", "/?id=7"), "https://belizereef.example/?id=7"),
            citation(TEXT, marker("deep.example"), "https://deep.example/"),
        ),
    )
)
BELIZE, CORAL = "https://belizereef.example/?id=7", "https://coralwatch.example/2025"
USAGE = {"promptTokens": 8_412, "responseTokens": 912}


def assert_sound(result: dict[str, Any]) -> None:
    assert result["success"] is True, result
    assert [each["rank"] for each in result["citations"]] == list(range(1, len(result["citations"]) + 1))
    for each in result["citations"]:
        assert result["text"][each["startIndex"] : each["endIndex"]] == each["textSnippet"]
        assert each["query"] in BOTH


async def test_several_queries_make_one_result(call: Caller, openai: OpenAiServer) -> None:
    openai.by_words = {"whales": SINGING}
    result = await call(queries=[f" {REEFS}", WHALES])
    assert_sound(result)
    whales = TEXT.replace("&utm_source=openai", "").replace("?utm_source=openai", "")
    assert result["text"] == f"## {REEFS}\n\n{PLAIN_ANSWER}\n\n## {WHALES}\n\n{whales}"
    assert [(each["url"], each["query"]) for each in result["citations"]] == [
        (BELIZE, REEFS),
        ("https://whales.example/", WHALES),
        (CORAL, REEFS),
        ("https://deep.example/", WHALES),
    ], "a page that both cite comes first, then by rank"
    assert [each.get("otherQueries") for each in result["citations"]] == [[WHALES], None, None, None]
    assert result["usage"] == {name: 2 * count for name, count in USAGE.items()}
    assert (result["cached"], "failed" in result) == (False, False)
    assert sorted(body["input"] for body in openai.bodies) == BOTH
    assert f"1. Reef: {BELIZE} (for {REEFS}; {WHALES})" in call.texts[0]


async def test_without_answers_it_holds_the_passages_of_all(ask: Asker, openai: OpenAiServer) -> None:
    openai.by_words = {"whales": SINGING}
    result = await ask(queries=BOTH, includeAnswers=False, maxResults=3)
    assert_sound(result)
    assert result["text"].split("\n") == [
        "Reefs off Belize have begun to recover.",
        "Whales sing.",
        "Divers counted 31 % more live coral than in 2019.",
    ]
    assert [each["textSnippet"] for each in result["citations"]] == result["text"].split("\n")


async def test_the_bound_holds_for_all_together(ask: Asker, openai: OpenAiServer) -> None:
    openai.always = Answer("many")
    result = await ask(queries=BOTH, maxResults=3)
    assert len(result["citations"]) == 3
    assert all("at most 3 sources" in body["instructions"] for body in openai.bodies)


async def test_each_query_is_a_call_of_its_own(openai: OpenAiServer) -> None:
    async with asking(settings(openai.url, calls_per_10_minutes=3, daily_calls=100)) as ask:
        first = await ask(queries=BOTH)
        again = await ask(queries=BOTH)
        single = await ask(REEFS)
        mixed = await ask(queries=[REEFS, "are crabs well"])
        refused = await ask("one more question")
        used = ask.service.telemetry
    assert (first["cached"], again["cached"], single["cached"], mixed["cached"]) == (False, True, True, False)
    assert again == first | {"cached": True}
    assert refused["code"] == "RATE_LIMIT"
    assert len(openai.requests) == used.used["main"]["calls"] == used.budgets[""].usage_today()["main"]["calls"] == 3


async def test_queries_are_asked_at_the_same_time_and_equal_ones_once(ask: Asker, openai: OpenAiServer) -> None:
    openai.barrier = asyncio.Barrier(2)
    assert_sound(await ask(queries=[REEFS, WHALES, f"{REEFS} "]))
    assert len(openai.requests) == 2


@pytest.mark.parametrize(
    ("queries", "message", "number"),
    [
        ([REEFS, "ab"], "Query must be 3-400 characters", 2),
        (["x" * 401, REEFS], "Query must be 3-400 characters", 1),
        ([REEFS, WHALES, "bitcoin markets"], "Use polymarket MCP server for market-related queries", 3),
        ([REEFS, "RSS feeds"], "Use google-news-rss MCP server for RSS feed queries", 2),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_all_are_looked_at_before_one_is_asked(
    call: Caller, openai: OpenAiServer, queries: list[str], message: str, number: int
) -> None:
    result = await call(queries=queries)
    assert (result["code"], result["error"], result["details"]["queryNumber"]) == ("VALIDATION", message, number)
    assert openai.requests == []


@pytest.mark.parametrize("arguments", [{}, {"query": REEFS, "queries": BOTH}], ids=["none", "both"])
async def test_either_query_or_queries_is_given(call: Caller, openai: OpenAiServer, arguments: dict[str, Any]) -> None:
    result = await call(**arguments)
    assert (result["code"], result["error"]) == ("VALIDATION", "Give either query or queries")
    assert openai.requests == []


async def test_one_that_fails_does_not_spoil_the_others(call: Caller, openai: OpenAiServer) -> None:
    openai.by_words = {"whales": error(429, "insufficient_quota")}
    result = await call(queries=BOTH)
    assert_sound(result)
    assert {each["query"] for each in result["citations"]} == {REEFS}
    assert result["text"] == f"## {REEFS}\n\n{PLAIN_ANSWER}"
    (failed,) = result["failed"]
    assert (failed["query"], failed["error"], failed["code"]) == (WHALES, "Rate limit exceeded", "RATE_LIMIT")
    assert failed["error_category"] == "rate_limit"
    assert failed["details"]["retry_after_s"] >= 1
    assert result["usage"] == USAGE
    assert f"Not answered: {WHALES} (Rate limit exceeded)" in call.texts[0]


async def test_where_all_fail_the_call_fails(ask: Asker, openai: OpenAiServer) -> None:
    openai.by_words = {"reefs": error(401), "whales": error(400)}
    result = await ask(queries=BOTH)
    assert (result["success"], result["code"], result["error"]) == (False, "AUTH", "Authentication failed")


async def test_a_text_that_ends_too_early_and_missing_usage_are_told(ask: Asker, openai: OpenAiServer) -> None:
    openai.by_words = {"whales": Answer("cut_short"), "reefs": Answer("without_usage")}
    result = await ask(queries=BOTH)
    assert_sound(result)
    assert (result["incomplete"], result["usage"]) == ("max_output_tokens", USAGE)
