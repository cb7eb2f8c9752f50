"""Limits of users and teams, the breaker, and answers that are used again; each service by itself."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from indexer.tenancy import Principal, TeamId
from mcp_server.features.web.settings import WebSettings
from tests.made_services import MAIN
from tests.upstreams.openai import Answer, OpenAiServer, error
from tests.upstreams.openai_caller import Asker, asking, frozen, settings

ANN, BOB = Principal(MAIN.team, "ann"), Principal(MAIN.team, "bob")
OTHERS = Principal(TeamId("others"), "ann")
EVENING = datetime(2026, 3, 1, 23, 0, tzinfo=UTC)
TOKENS = 9_324
"""What each fixture says that it took."""


def assert_limited(result: dict[str, Any], seconds: int) -> None:
    assert result["success"] is False
    assert (result["code"], result["error"]) == ("RATE_LIMIT", "Rate limit exceeded")
    assert result["error_category"] == "rate_limit"
    assert 1 <= result["details"]["retry_after_s"] <= seconds
    assert result["fix"]["required_action"]


def test_the_defaults_are_those_of_the_contract() -> None:
    given = WebSettings(_env_file=None)
    policy = given.policy
    assert (policy.calls, policy.window) == (20, 600)
    assert (policy.attempts, policy.deadline) == (2, 15)
    assert policy.cache_seconds == 300
    assert (given.model, given.max_output_tokens) == ("gpt-5-nano", 4_000)


async def test_the_21st_question_of_a_user_is_too_many(ask: Asker, openai: OpenAiServer) -> None:
    results = [await ask(f"question {number}", ANN) for number in range(20)]
    assert all(result["success"] for result in results)
    assert_limited(await ask("one more question", ANN), 600)
    assert len(openai.requests) == 20
    assert (await ask("one more question", BOB))["success"], "another user has questions left"


async def test_all_teams_together_have_a_limit_where_it_is_set(openai: OpenAiServer) -> None:
    async with asking(settings(openai.url, calls_per_minute_total=2)) as ask:
        first = await ask("question 1", ANN)
        assert (await ask("question 2", ANN))["success"]
        refused = await ask("question 3", OTHERS)
        assert await ask("question 1", BOB) == first | {"cached": True}
    assert_limited(refused, 60)
    assert refused["details"]["limit"] == "all teams together"
    assert "another team" in refused["fix"]["required_action"]
    assert len(openai.requests) == 2


async def test_a_second_try_is_no_second_question(openai: OpenAiServer) -> None:
    openai.then(error(500))
    async with asking(settings(openai.url, calls_per_10_minutes=2)) as ask:
        assert (await ask("question 1"))["success"]
        assert (await ask("question 2"))["success"]
        assert_limited(await ask("question 3"), 600)
    assert len(openai.requests) == 3


async def test_the_same_question_is_answered_from_the_cache_and_does_not_count(openai: OpenAiServer) -> None:
    async with asking(settings(openai.url, calls_per_10_minutes=1)) as ask:
        first = await ask("are reefs well")
        again = [await ask(query) for query in ("are reefs well", "  are reefs well ", "are reefs well")]
        assert_limited(await ask("are whales well"), 600)
    assert first["cached"] is False
    assert again == [first | {"cached": True}] * 3
    assert len(openai.requests) == 1


async def test_other_wishes_and_other_teams_are_other_questions(ask: Asker, openai: OpenAiServer) -> None:
    await ask("are reefs well", ANN)
    wishes: list[dict[str, Any]] = [
        {"maxResults": 3},
        {"region": "FR"},
        {"freshnessHours": 5},
        {"includeAnswers": False},
    ]
    results = [await ask("are reefs well", ANN, **wish) for wish in wishes]
    results.append(await ask("are reefs well", OTHERS))
    assert [result["cached"] for result in results] == [False] * 5
    assert len(openai.requests) == 6


async def test_without_a_time_to_keep_them_nothing_is_used_again(openai: OpenAiServer) -> None:
    async with asking(settings(openai.url, cache_seconds=0)) as ask:
        assert [(await ask("are reefs well"))["cached"] for _ in range(2)] == [False, False]
    assert len(openai.requests) == 2


@pytest.mark.parametrize("failure", [error(401), error(400), Answer("text_alone"), Answer(body=b"<html>")])
async def test_failures_are_not_kept(ask: Asker, openai: OpenAiServer, failure: Answer) -> None:
    openai.then(failure)
    assert not (await ask("are reefs well"))["success"]
    assert (await ask("are reefs well"))["success"]


async def test_equal_questions_at_the_same_time_are_one_request(ask: Asker, openai: OpenAiServer) -> None:
    openai.barrier = asyncio.Event()
    calls = [asyncio.create_task(ask("are reefs well")) for _ in range(50)]
    await openai.asked.wait()
    openai.barrier.set()
    assert all(result["success"] for result in await asyncio.gather(*calls))
    assert len(openai.requests) == 1


async def test_sustained_failures_open_the_breaker(ask: Asker, openai: OpenAiServer) -> None:
    kept = await ask("are reefs well")
    openai.requests.clear()
    openai.always = error(500)
    for number in range(5):
        assert (await ask(f"question {number}"))["code"] == "PROVIDER"
    assert len(openai.requests) == 10
    openai.always = Answer()
    refused = await ask("one more question")
    assert (refused["code"], refused["error"]) == ("PROVIDER", "Provider error")
    assert refused["error_category"] == "unavailable"
    assert len(openai.requests) == 10, "nobody is asked while it is open"
    assert await ask("are reefs well") == kept | {"cached": True}


@pytest.mark.parametrize(
    "failure",
    [error(429, "insufficient_quota"), error(401), error(400), Answer("text_alone"), Answer("out_of_tokens")],
)
async def test_refusals_do_not_open_the_breaker(openai: OpenAiServer, failure: Answer) -> None:
    openai.always = failure
    async with asking(settings(openai.url, calls_per_10_minutes=1_000)) as ask:
        for number in range(15):
            assert not (await ask(f"question {number}"))["success"]
        openai.always = Answer()
        assert (await ask("one more question"))["success"]


async def test_a_success_in_between_keeps_the_breaker_closed(openai: OpenAiServer) -> None:
    async with asking(settings(openai.url, calls_per_10_minutes=1_000)) as ask:
        for number in range(8):
            openai.then(error(502), error(503), "plain")
            assert not (await ask(f"question {number}"))["success"]
            assert (await ask(f"another question {number}"))["success"]


@pytest.mark.parametrize(
    "bound",
    [
        {"daily_calls": 1},
        {"daily_tokens": TOKENS},
        {"daily_dollars": 0.5, "input_price": 50, "output_price": 400},
        {"daily_dollars": 0.01, "search_price": 10},
    ],
    ids=str,
)
async def test_a_team_that_used_up_its_day_has_to_wait_until_midnight(
    openai: OpenAiServer, bound: dict[str, float]
) -> None:
    async with asking(settings(openai.url, **bound)) as ask:
        frozen(ask.service, EVENING)
        first = await ask("question 1", ANN)
        assert first["success"]
        for user in (ANN, BOB):
            refused = await ask("question 2", user)
            assert_limited(refused, 3_600)
            assert refused["details"]["retry_after_s"] == 3_600
        assert await ask("question 1", ANN) == first | {"cached": True}
        assert (await ask("question 2", OTHERS))["success"]
        assert len(openai.requests) == 2
        frozen(ask.service, EVENING + timedelta(hours=1))
        assert (await ask("question 2", ANN))["success"]


async def test_what_is_below_the_bound_may_go_on(openai: OpenAiServer) -> None:
    async with asking(settings(openai.url, daily_tokens=TOKENS + 1, daily_calls=3)) as ask:
        frozen(ask.service, EVENING)
        assert (await ask("question 1"))["success"]
        assert (await ask("question 2"))["success"]
        assert_limited(await ask("question 3"), 3_600)


async def test_answers_that_cannot_be_used_cost_all_the_same(openai: OpenAiServer) -> None:
    openai.then("text_alone")
    async with asking(settings(openai.url, daily_tokens=TOKENS)) as ask:
        frozen(ask.service, EVENING)
        assert (await ask("question 1"))["code"] == "PARSE"
        assert_limited(await ask("question 2"), 3_600)


async def test_calls_and_tokens_are_counted_for_each_team(ask: Asker, openai: OpenAiServer) -> None:
    openai.then("plain", "reasoning_between", error(401))
    await ask("question 1", ANN)
    await ask("question 1", BOB)
    await ask("question 2", BOB)
    await ask("question 3", OTHERS)
    used = ask.service.telemetry.used
    assert (used["main"]["calls"], used["main"]["tokens"], used["main"]["searches"]) == (2, 2 * TOKENS, 3)
    assert (used["others"]["calls"], used["others"]["tokens"]) == (1, 0)
    outcomes = ask.service.telemetry.outcomes
    assert outcomes == {"ok": 2, "cached": 1, "authentication": 1}
