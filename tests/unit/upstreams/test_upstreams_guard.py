"""The guard around calls that the test controls."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from indexer.errors import PlatformError, RateLimited, TimedOut, Unavailable
from mcp_server.shared import Shared
from mcp_server.upstream.errors import Provider
from mcp_server.upstream.guard.attempts import AttemptFailed
from mcp_server.upstream.guard.gate import LocalGate
from mcp_server.upstream.guard.guard import Guard
from mcp_server.upstream.guard.policy import ErrorMessages, Policy
from mcp_server.upstream.telemetry import Hashes

POLICY = Policy(calls=5, window=3_600, attempts=3, attempt_timeout=600, deadline=600, failures=9, cache_seconds=3_600)
ERROR_MESSAGES = ErrorMessages(limited="too many", unavailable="not there", timed_out="too slow")


class Upstream:
    """Fails as told, then answers."""

    def __init__(self, *failures: AttemptFailed) -> None:
        self.failures = list(failures)
        self.calls = 0

    async def __call__(self) -> bytes:
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return b"answer"


def guarded(policy: Policy = POLICY) -> tuple[Guard, list[float]]:
    waited: list[float] = []

    async def pause(seconds: float) -> None:
        waited.append(seconds)

    return Guard("test", policy, ERROR_MESSAGES, LocalGate(policy), Hashes(b"key", "test"), pause=pause), waited


def busy(wait: float | None = None) -> AttemptFailed:
    return AttemptFailed(RateLimited("busy", retry_after=1), retry=True, wait=wait)


def broken() -> AttemptFailed:
    return AttemptFailed(Provider("broken", action="Wait"), upstream_broke=True)


async def test_retries_wait_longer_each_time_and_differ_by_chance() -> None:
    guard, waited = guarded()
    upstream = Upstream(busy(), busy())
    assert (await guard.call("team", b"q", upstream, fresh=False)).body == b"answer"
    assert upstream.calls == 3
    first, second = waited
    assert POLICY.first_wait * 0.5 <= first <= POLICY.first_wait * 1.5
    assert POLICY.first_wait <= second <= POLICY.first_wait * 3


async def test_what_the_upstream_asks_for_is_waited_and_a_little_more() -> None:
    guard, waited = guarded()
    await guard.call("team", b"q", Upstream(busy(3.0)), fresh=False)
    assert 3.0 <= waited[0] <= 3.0 + POLICY.first_wait


@pytest.mark.parametrize(
    ("policy", "failures", "calls"),
    [
        (POLICY, [busy(), busy(), busy(), busy()], 3),
        (POLICY, [busy(6.0)], 1),
        (POLICY, [broken()], 1),
        (replace(POLICY, deadline=0.1), [busy(1.0)], 1),
    ],
    ids=["all attempts used", "asks for too much patience", "not to be retried", "no time left"],
)
async def test_the_last_failure_is_told(policy: Policy, failures: list[AttemptFailed], calls: int) -> None:
    guard, _ = guarded(policy)
    upstream = Upstream(*failures)
    with pytest.raises(PlatformError, match=r"busy|broken"):
        await guard.call("team", b"q", upstream, fresh=False)
    assert upstream.calls == calls


async def test_a_time_out_is_not_retried() -> None:
    guard, waited = guarded(replace(POLICY, attempt_timeout=0.01))

    async def silent() -> bytes:
        await asyncio.Event().wait()
        return b""

    with pytest.raises(TimedOut, match="too slow"):
        await guard.call("team", b"q", silent, fresh=False)
    assert waited == []


async def test_answers_are_kept_by_caller_and_question() -> None:
    guard, _ = guarded()
    upstream = Upstream()
    asked: list[tuple[str, bytes]] = [("a", b"q"), ("a", b"q"), ("b", b"q"), ("a", b"r"), ("a", b"q")]
    cached = [(await guard.call(caller, question, upstream, fresh=False)).cached for caller, question in asked]
    assert cached == [False, True, False, False, True]
    assert not (await guard.call("a", b"q", upstream, fresh=True)).cached
    assert upstream.calls == 4


async def test_limits_and_an_open_breaker_are_told_with_when_to_come_back() -> None:
    guard, _ = guarded(replace(POLICY, calls=1))
    await guard.call("team", b"1", Upstream(), fresh=True)
    with pytest.raises(RateLimited, match="too many") as limited:
        await guard.call("team", b"2", Upstream(), fresh=True)
    assert 0 < limited.value.details["retry_after_s"] <= 3_600
    guard, _ = guarded(replace(POLICY, failures=1, cooldown=30))
    with pytest.raises(Provider):
        await guard.call("team", b"1", Upstream(broken()), fresh=True)
    with pytest.raises(Unavailable, match="not there") as refused:
        await guard.call("team", b"2", Upstream(), fresh=True)
    assert 0 < refused.value.details["retry_after_s"] <= 30


async def test_a_refused_question_does_not_count_against_the_upstream() -> None:
    guard, _ = guarded(replace(POLICY, failures=1))
    with pytest.raises(RateLimited):
        await guard.call("team", b"1", Upstream(busy(60)), fresh=True)
    assert (await guard.call("team", b"2", Upstream(), fresh=True)).body == b"answer"


async def test_one_who_leaves_does_not_take_the_others_answer_along() -> None:
    guard, _ = guarded()
    released = asyncio.Event()
    calls = 0

    async def slow() -> bytes:
        nonlocal calls
        calls += 1
        await released.wait()
        return b"answer"

    callers = [asyncio.create_task(guard.call("team", b"q", slow, fresh=False)) for _ in range(3)]
    await _until(lambda: calls == 1)
    callers[0].cancel()
    await _until(callers[0].done)
    released.set()
    answers = await asyncio.gather(*callers[1:])
    assert [answer.body for answer in answers] == [b"answer"] * 2
    assert calls == 1


async def test_a_call_that_nobody_waits_for_is_stopped() -> None:
    guard, _ = guarded()
    stopped = asyncio.Event()
    begun = asyncio.Event()

    async def slow() -> bytes:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return b""

    caller = asyncio.create_task(guard.call("team", b"q", slow, fresh=False))
    await asyncio.wait_for(begun.wait(), 60)
    caller.cancel()
    await asyncio.wait_for(stopped.wait(), 60)
    assert (await guard.call("team", b"q", Upstream(), fresh=False)).body == b"answer"


async def test_all_who_wait_get_the_failure() -> None:
    guard, _ = guarded()
    upstream = Upstream(broken())
    calls = [guard.call("team", b"q", upstream, fresh=False) for _ in range(50)]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert all(isinstance(outcome, Provider) for outcome in outcomes)
    assert upstream.calls == 1


async def test_a_bug_in_a_call_reaches_the_caller_and_blocks_nothing() -> None:
    guard, _ = guarded()

    async def buggy() -> bytes:
        raise ZeroDivisionError

    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            await guard.call("team", b"q", buggy, fresh=False)
    assert (await guard.call("team", b"q", Upstream(), fresh=False)).body == b"answer"


async def test_without_an_address_redis_is_never_looked_for() -> None:
    shared = Shared(None)
    assert await shared.run("return 1", [], []) is None
    await shared.aclose()


async def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0)
