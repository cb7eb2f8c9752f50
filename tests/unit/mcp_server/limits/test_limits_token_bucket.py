"""The token bucket, by itself and in Redis: what it gives at once, how it refills, and how long to wait."""

from uuid import uuid4

import pytest

from mcp_server.access.limits.token_bucket import TAKE, Grant, Rate, TokenBucket, grant_of
from mcp_server.shared import Shared

SLOW = Rate(per_minute=6, burst=3)


def test_a_full_bucket_gives_its_burst_at_once_and_then_nothing() -> None:
    bucket = TokenBucket(SLOW, now=100.0)
    assert [bucket.take(1, 100.0).permits for _ in range(4)] == [1, 1, 1, 0]


def test_it_refills_at_its_rate_and_never_beyond_its_burst() -> None:
    bucket = TokenBucket(SLOW, now=0.0)
    bucket.take(3, 0.0)
    assert bucket.take(3, 9.0) == Grant(0, pytest.approx(1.0))
    assert bucket.take(3, 10.0) == Grant(1)
    assert bucket.take(5, 10_000.0) == Grant(3)


def test_after_the_wait_that_it_names_there_is_a_permit_and_not_before() -> None:
    bucket = TokenBucket(SLOW, now=0.0)
    bucket.take(3, 0.0)
    wait = bucket.take(1, 2.5).wait
    assert wait == pytest.approx(7.5)
    assert bucket.take(1, 2.5 + wait - 0.001).permits == 0
    assert bucket.take(1, 2.5 + wait + 0.001).permits == 1


def test_a_clock_that_goes_back_gives_nothing() -> None:
    bucket = TokenBucket(SLOW, now=100.0)
    bucket.take(3, 100.0)
    assert bucket.take(1, 0.0).permits == 0


async def test_in_redis_the_same_rule_holds(redis_url: str) -> None:
    shared = Shared(redis_url, area="test", patience=10)
    key = uuid4().hex

    async def take(wanted: int, rate: Rate) -> Grant:
        return grant_of(await shared.run(TAKE, [key], [rate.per_minute, rate.burst, wanted]))

    assert [(await take(2, SLOW)).permits for _ in range(2)] == [2, 1]
    refused = await take(1, SLOW)
    assert refused.permits == 0
    assert 8 < refused.wait <= 10
    # The same bucket at a higher rate: what it gains shows within milliseconds.
    fast = Rate(per_minute=60_000, burst=3)
    while (grant := await take(3, fast)).permits == 0:
        assert grant.wait <= 0.001
    assert 1 <= grant.permits <= 3
    await shared.aclose()
