"""What a team may use in a day, by a clock of the test's own and a real Redis."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from indexer.errors import RateLimited
from mcp_server.features.web.provider.budget import Budget
from mcp_server.features.web.provider.spending import billed_usage, token_usage
from mcp_server.features.web.settings import WebSettings
from mcp_server.shared import Shared
from mcp_server.upstream.telemetry import Hashes, UsedToday

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["with Redis", "without"])
async def shared(request: pytest.FixtureRequest, redis_url: str) -> AsyncIterator[Shared]:
    made = Shared(redis_url if request.param == "with Redis" else None, patience=60)
    yield made
    await made.aclose()


def budget(shared: Shared, clock: Clock, name: str | None = None, **bounds: Any) -> Budget:
    settings = WebSettings(_env_file=None, **bounds)
    return Budget(name or f"test:{uuid4().hex}", settings, Hashes(b"key", "web"), shared, clock)


async def refused(made: Budget, team: str = "a") -> RateLimited:
    with pytest.raises(RateLimited) as error:
        await made.count_call(team)
    return error.value


async def test_a_team_has_so_many_calls_until_midnight(shared: Shared, clock: Clock) -> None:
    made = budget(shared, clock, daily_calls=2)
    for _ in range(2):
        await made.count_call("a")
    error = await refused(made)
    assert error.message == "Rate limit exceeded"
    assert error.details["retry_after_s"] == 12 * 3600
    await made.count_call("b")
    clock.now += timedelta(hours=12)
    await made.count_call("a")


@pytest.mark.parametrize(
    ("bound", "kind"), [({"daily_tokens": 100}, "tokens"), ({"daily_dollars": 0.0001}, "microdollars")]
)
async def test_what_answers_cost_is_counted_when_it_is_known(
    shared: Shared, clock: Clock, bound: dict[str, Any], kind: str
) -> None:
    made = budget(shared, clock, **bound)
    for _ in range(2):
        await made.count_call("a")
        await made.add_usage("a", {kind: 50, "searches": 9})
    await refused(made)
    await made.count_call("b")


async def test_without_bounds_nothing_is_counted(clock: Clock) -> None:
    made = budget(Shared("redis://127.0.0.1:1/0"), clock)
    for _ in range(5):
        await made.count_call("a")
        await made.add_usage("a", {"tokens": 10**9})
    assert made._local_usage == {}


async def test_processes_count_together(redis_url: str, clock: Clock) -> None:
    name = f"test:{uuid4().hex}"
    one, other = Shared(redis_url, patience=60), Shared(redis_url, patience=60)
    first, second = (budget(each, clock, name, daily_calls=2, daily_tokens=100) for each in (one, other))
    await first.count_call("a")
    await second.count_call("a")
    await refused(first)
    await first.count_call("b")
    await first.add_usage("b", {"tokens": 100})
    await refused(second, "b")
    await one.aclose()
    await other.aclose()


async def test_what_was_used_today_is_known_for_metrics(shared: Shared, clock: Clock) -> None:
    made = budget(shared, clock, daily_calls=2, daily_dollars=0.5)
    assert (made.limits, made.usage_today()) == ({"calls": 2, "microdollars": 500_000}, {})
    await made.count_call("a")
    await made.add_usage("a", {"microdollars": 7, "tokens": 9})
    assert made.usage_today() == {"a": {"calls": 1, "microdollars": 7}}
    await made.count_call("a")
    await refused(made)
    assert made.usage_today() == {"a": {"calls": 2, "microdollars": 7}}
    clock.now += timedelta(days=1)
    assert made.usage_today() == {}
    await made.count_call("a")
    assert made.usage_today() == {"a": {"calls": 1, "microdollars": 0}}


async def test_what_other_processes_used_is_known_after_a_call(redis_url: str, clock: Clock) -> None:
    name = f"test:{uuid4().hex}"
    one, other = Shared(redis_url, patience=60), Shared(redis_url, patience=60)
    first, second = (budget(each, clock, name, daily_calls=1, daily_tokens=100) for each in (one, other))
    await first.count_call("a")
    await first.add_usage("a", {"tokens": 60})
    assert second.usage_today() == {}
    await refused(second)
    assert second.usage_today() == first.usage_today() == {"a": {"calls": 1, "tokens": 60}}
    await one.aclose()
    await other.aclose()


async def test_other_days_are_forgotten(clock: Clock) -> None:
    made = budget(Shared(None), clock, daily_calls=2)
    for team in ("a", "b", "c"):
        await made.count_call(team)
    assert len(made._local_usage) == 3
    clock.now += timedelta(days=1)
    await made.count_call("a")
    assert len(made._local_usage) == 1


ANSWER = {
    "usage": {"input_tokens": 1_000, "output_tokens": 500, "total_tokens": 1_500},
    "output": [{"type": "web_search_call", "status": "completed"}] * 2,
}


def test_prices_make_a_cost() -> None:
    prices = WebSettings(_env_file=None, input_price=0.05, output_price=0.4, search_price=10)
    assert billed_usage(ANSWER, prices) == {
        "prompt_tokens": 1_000,
        "response_tokens": 500,
        "tokens": 1_500,
        "searches": 2,
        "microdollars": 50 + 200 + 20_000,
    }
    assert billed_usage(ANSWER, WebSettings(_env_file=None))["microdollars"] == 0


@pytest.mark.parametrize("told", [None, {}, {"input_tokens": 1}, {"input_tokens": "1", "output_tokens": 2}, []])
def test_an_answer_need_not_say_what_it_cost(told: Any) -> None:
    assert token_usage({"usage": told}) is None
    assert billed_usage({"usage": told}, WebSettings(_env_file=None))["tokens"] == 0


async def test_what_a_team_has_used_is_read_from_all_processes(redis_url: str, clock: Clock) -> None:
    name, one, other = f"test:{uuid4().hex}", Shared(redis_url, patience=60), Shared(redis_url, patience=60)
    first, second = (budget(each, clock, name, daily_calls=9, daily_tokens=100) for each in (one, other))
    midnight = NOON.replace(hour=0)
    assert await second.read("a") == UsedToday(midnight, {"calls": 0, "tokens": 0}, is_shared=True)
    await first.count_call("a")
    await first.add_usage("a", {"tokens": 60})
    assert await second.read("a") == UsedToday(midnight, {"calls": 1, "tokens": 60}, is_shared=True)
    assert (await second.read("b")).amounts == {"calls": 0, "tokens": 0}
    assert await budget(other, clock).read("a") == UsedToday(midnight, {}, is_shared=True)
    clock.now += timedelta(days=1)
    assert (await first.read("a")).amounts == {"calls": 0, "tokens": 0}
    await one.aclose()
    await other.aclose()


async def test_without_redis_a_process_reads_what_it_has_counted_itself(clock: Clock) -> None:
    made = budget(Shared(None), clock, daily_calls=2)
    assert (await made.read("a")).amounts == {"calls": 0}
    await made.count_call("a")
    assert await made.read("a") == UsedToday(NOON.replace(hour=0), {"calls": 1}, is_shared=False)
