"""The rate limiter: how many permits a name gets, over Redis and without, and how often Redis is asked."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import count
from typing import Any
from uuid import uuid4

import pytest

from mcp_server.access.limits.rate_limiter import RateLimiter
from mcp_server.access.limits.token_bucket import Rate
from mcp_server.shared import Shared
from mcp_server.upstream.telemetry import Hashes
from tests.redis import RedisServer
from tests.unit.mcp_server.limits.clock import Clock

HASHES = Hashes(b"key", "limits")
RATE = Rate(per_minute=1, burst=100)


class CountedShared(Shared):
    """Counts the scripts that run in Redis."""

    def __init__(self, url: str | None) -> None:
        super().__init__(url, area=f"test{uuid4().hex}", patience=10)
        self.runs = 0
        self.keys: list[str] = []

    async def run(self, script: str, keys: Sequence[str], arguments: Sequence[str | bytes | int]) -> Any | None:
        self.runs += 1
        self.keys += keys
        return await super().run(script, keys, arguments)


@pytest.fixture
async def shared(redis_url: str) -> AsyncIterator[CountedShared]:
    opened = CountedShared(redis_url)
    yield opened
    await opened.aclose()


def limiter(shared: Shared, rate: Rate = RATE, clock: Clock | None = None) -> RateLimiter:
    return RateLimiter("calls", rate, shared, HASHES, now=clock or Clock())


async def taken(limiter: RateLimiter, name: str = "t_1", at_most: int = 1_000) -> int:
    """Take until there is nothing more; return how much there was."""
    for number in range(at_most):
        if await limiter.take(name):
            return number
    return at_most


async def test_a_name_gets_its_burst_and_another_name_its_own() -> None:
    limits = limiter(Shared(None))
    assert await taken(limits) == 100
    assert await taken(limits, "t_2") == 100


async def test_permits_come_back_with_time_and_the_wait_is_right() -> None:
    clock = Clock()
    limits = limiter(Shared(None), Rate(per_minute=60, burst=2), clock)
    assert await taken(limits) == 2
    wait = await limits.take("t_1")
    assert wait == pytest.approx(1.0)
    assert limits.wait("t_1") == pytest.approx(1.0)
    clock.now += wait
    assert limits.wait("t_1") == 0
    assert await limits.take("t_1") == 0
    assert await limits.take("t_1") > 0
    clock.now += 10
    assert await taken(limits) == 2


async def test_two_processes_share_one_bucket(shared: CountedShared) -> None:
    first, second = limiter(shared), limiter(shared)
    assert await taken(first, at_most=30) == 30
    assert await taken(second) == 70
    assert await first.take("t_1") > 0


async def test_a_process_that_holds_permits_lets_another_one_miss_a_tenth_of_the_burst_at_most(
    shared: CountedShared,
) -> None:
    first, second = limiter(shared), limiter(shared)
    assert await taken(first, at_most=1) == 1
    assert await taken(second) == 90
    assert await taken(first) == 9


async def test_redis_is_asked_for_several_permits_at_a_time(shared: CountedShared) -> None:
    limits = limiter(shared)
    assert await taken(limits, at_most=100) == 100
    assert shared.runs == 10
    for _ in range(20):
        assert await limits.take("t_1") > 0
    assert shared.runs == 11, "a refusal is remembered until a permit comes"


async def test_callers_at_the_same_time_ask_redis_once_for_all(shared: CountedShared) -> None:
    limits = limiter(shared)
    assert await asyncio.gather(*(limits.take("t_1") for _ in range(10))) == [0.0] * 10
    assert shared.runs == 1


async def test_a_call_gets_the_permit_that_was_fetched_for_it_even_in_a_process_that_lags(
    shared: CountedShared,
) -> None:
    hours = count(0, 3_600)
    limits = RateLimiter("calls", Rate(per_minute=60_000_000, burst=1), shared, HASHES, now=lambda: float(next(hours)))
    assert await limits.take("t_1") == 0
    assert shared.runs == 1


async def test_redis_gets_no_names(shared: CountedShared) -> None:
    await limiter(shared).take("somebody@example.org")
    assert shared.keys == [f"calls:{HASHES.name('somebody@example.org')}"]


async def test_permits_that_were_not_used_in_time_are_not_added_to_a_full_bucket(shared: CountedShared) -> None:
    clock = Clock()
    fast = Rate(per_minute=600_000, burst=100)
    limits = limiter(shared, fast, clock)
    assert await limits.take("t_1") == 0
    assert shared.runs == 1
    clock.now += 1
    assert await limits.take("t_1") == 0
    assert shared.runs == 2


async def test_while_redis_is_away_each_process_has_the_limit_for_itself(
    own_redis: Callable[..., RedisServer],
) -> None:
    redis = own_redis()
    moment = Clock()
    shared = Shared(redis.url, area="test", patience=10, now=moment)
    first, second = limiter(shared), limiter(shared)
    assert await taken(first) == 100
    assert await second.take("t_1") > 0
    redis.kill()
    third, fourth = limiter(shared), limiter(shared)
    assert await taken(third) == 100
    assert await taken(fourth) == 100
    redis.start()
    moment.now += 60
    back = limiter(shared)
    assert await taken(back) == 100, "Redis came back empty"
    assert await limiter(shared).take("t_1") > 0
    await shared.aclose()
