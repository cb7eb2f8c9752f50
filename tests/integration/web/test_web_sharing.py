"""Two services with one Redis have one limit, one breaker, one cache and one budget."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
import redis

from indexer.tenancy import Principal
from tests.made_services import MAIN
from tests.redis import RedisServer
from tests.upstreams.openai import Answer, OpenAiServer, error
from tests.upstreams.openai_caller import Asker, asking, frozen, settings

BOB = Principal(MAIN.team, "bob")
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@asynccontextmanager
async def two(openai: OpenAiServer, redis_url: str, **changes: Any) -> AsyncIterator[tuple[Asker, Asker]]:
    """Open two services that share a key, which keeps them apart from all others in this Redis."""
    key, given = uuid4().bytes, settings(openai.url, **changes)
    async with asking(given, redis_url, key) as one, asking(given, redis_url, key) as other:
        for ask in (one, other):
            frozen(ask.service, NOON)
        yield one, other


def outcomes(*results: dict[str, Any]) -> list[str]:
    return [result.get("code", "ok") for result in results]


async def test_two_services_share_one_limit(openai: OpenAiServer, redis_url: str) -> None:
    async with two(openai, redis_url, calls_per_10_minutes=3) as (one, other):
        allowed = [await one("question 1"), await other("question 2"), await one("question 3")]
        refused = [await one("question 4"), await other("question 5")]
        another = await other("question 6", BOB)
    assert outcomes(*allowed) == ["ok"] * 3
    assert outcomes(*refused) == ["RATE_LIMIT"] * 2
    assert outcomes(another) == ["ok"]
    assert len(openai.requests) == 4


async def test_two_services_share_the_limit_of_all_teams(openai: OpenAiServer, redis_url: str) -> None:
    async with two(openai, redis_url, calls_per_minute_total=2) as (one, other):
        results = [await one("question 1"), await other("question 2", BOB), await one("question 3", BOB)]
    assert outcomes(*results) == ["ok", "ok", "RATE_LIMIT"]
    assert len(openai.requests) == 2


async def test_two_services_share_one_breaker(openai: OpenAiServer, redis_url: str) -> None:
    openai.always = error(503)
    async with two(openai, redis_url) as (one, other):
        failed = [await (one, other)[number % 2](f"question {number}") for number in range(5)]
        assert outcomes(*failed) == ["PROVIDER"] * 5
        assert len(openai.requests) == 10
        openai.always = Answer()
        refused = [await one("question 6"), await other("question 7")]
    assert {result["error_category"] for result in refused} == {"unavailable"}
    assert len(openai.requests) == 10


async def test_two_services_share_their_answers(openai: OpenAiServer, redis_url: str) -> None:
    async with two(openai, redis_url) as (one, other):
        first = await one("are reefs well")
        second = await other(" are reefs well")
        third = await other("are reefs well", BOB)
    assert first["cached"] is False
    assert second == third == first | {"cached": True}
    assert len(openai.requests) == 1


@pytest.mark.parametrize("bound", [{"daily_calls": 2}, {"daily_tokens": 9_325}], ids=str)
async def test_two_services_share_one_budget(openai: OpenAiServer, redis_url: str, bound: dict[str, int]) -> None:
    async with two(openai, redis_url, **bound) as (one, other):
        results = [
            await one("question 1"),
            await other("question 2"),
            await one("question 3"),
            await other("question 4"),
        ]
    assert outcomes(*results) == ["ok", "ok", "RATE_LIMIT", "RATE_LIMIT"]
    assert len(openai.requests) == 2


async def test_a_service_with_another_key_shares_nothing(openai: OpenAiServer, redis_url: str) -> None:
    given = settings(openai.url, calls_per_10_minutes=1)
    async with asking(given, redis_url, uuid4().bytes) as one, asking(given, redis_url, uuid4().bytes) as other:
        results = [await one("are reefs well"), await other("are reefs well")]
    assert [result["cached"] for result in results] == [False, False]


async def test_everything_in_redis_ends_by_itself(openai: OpenAiServer, own_redis: Callable[..., RedisServer]) -> None:
    server = own_redis()
    async with two(openai, server.url, daily_calls=100, calls_per_minute_total=100) as (one, _):
        await one("are reefs well")
    with redis.Redis.from_url(server.url) as client:
        left = {key: client.pttl(key) for key in client.scan_iter()}
    assert len(left) == 5, "the answer, the user's calls, those of all, the breaker, the team's budget"
    assert all(milliseconds > 0 for milliseconds in left.values())
    (answer,) = [milliseconds for key, milliseconds in left.items() if b":answer:" in key]
    assert answer <= 300_000


@pytest.mark.parametrize("rubbish", [b"", b"rubbish", b'{"success": true}', bytes(200)], ids=len)
async def test_an_answer_that_somebody_else_wrote_is_not_believed(
    openai: OpenAiServer, own_redis: Callable[..., RedisServer], rubbish: bytes
) -> None:
    server = own_redis()
    async with two(openai, server.url) as (one, other):
        first = await one("are reefs well")
        with redis.Redis.from_url(server.url) as client:
            (key,) = client.scan_iter("*:answer:*")
            client.set(key, rubbish, keepttl=True)
        second = await other("are reefs well")
    assert first == second
    assert len(openai.requests) == 2


async def test_an_answer_under_another_question_s_name_is_not_believed(
    openai: OpenAiServer, own_redis: Callable[..., RedisServer]
) -> None:
    server = own_redis()
    async with two(openai, server.url) as (one, other):
        await one("are reefs well")
        with redis.Redis.from_url(server.url) as client:
            (reefs,) = client.scan_iter("*:answer:*")
            await one("are whales well")
            (whales,) = set(client.scan_iter("*:answer:*")) - {reefs}
            client.copy(reefs, whales, replace=True)
        assert (await other("are whales well"))["cached"] is False


async def test_without_redis_each_service_goes_on_by_itself(
    openai: OpenAiServer, own_redis: Callable[..., RedisServer]
) -> None:
    server = own_redis()
    async with two(openai, server.url, calls_per_10_minutes=3, daily_calls=3) as (one, other):
        assert (await one("question 1"))["success"]
        server.kill()
        results = [await one(f"question {number}") for number in range(2, 5)]
        assert outcomes(*results) == ["ok", "ok", "RATE_LIMIT"]
        assert (await one("question 1"))["cached"] is True
        assert (await other("question 1"))["cached"] is False
