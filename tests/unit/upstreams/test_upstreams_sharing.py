"""What the guard shares: answers within a circle, limits and breaker between processes, lines with the log."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import uuid4

import pytest

from indexer.errors import RateLimited, Unavailable
from mcp_server.shared import Shared
from mcp_server.upstream.errors import Provider
from mcp_server.upstream.guard.attempts import AttemptFailed
from mcp_server.upstream.guard.cache import Cache
from mcp_server.upstream.guard.gate import LocalGate
from mcp_server.upstream.guard.guard import Guard, SharedGate
from mcp_server.upstream.guard.policy import ErrorMessages, Policy
from mcp_server.upstream.telemetry import Hashes

POLICY = Policy(calls=2, window=3_600, attempts=1, attempt_timeout=600, deadline=600, failures=2, cooldown=3_600)
ERROR_MESSAGES = ErrorMessages(limited="too many", unavailable="not there", timed_out="too slow")


class Upstream:
    """Counts, and answers or fails as told."""

    def __init__(self, failure: AttemptFailed | None = None) -> None:
        self.failure = failure
        self.calls = 0

    async def __call__(self) -> bytes:
        self.calls += 1
        if self.failure is not None:
            raise self.failure
        return b"answer"


class Kept:
    """A cache that remembers for ever."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes] = {}

    async def get(self, name: str) -> bytes | None:
        return self.bodies.get(name)

    async def put(self, name: str, body: bytes) -> None:
        self.bodies[name] = body


def alone(policy: Policy = POLICY, cache: Cache | None = None) -> Guard:
    return Guard("test", policy, ERROR_MESSAGES, LocalGate(policy), Hashes(b"key", "test"), cache=cache, count=len)


def broken(*, timed_out: bool = False) -> AttemptFailed:
    return AttemptFailed(Provider("broken", action="Wait"), upstream_broke=True, timed_out=timed_out, status=500)


@pytest.fixture
async def shared(redis_url: str) -> AsyncIterator[Shared]:
    made = Shared(redis_url, patience=60)
    yield made
    await made.aclose()


def over(shared: Shared, name: str, policy: Policy = POLICY) -> Guard:
    return Guard("test", policy, ERROR_MESSAGES, SharedGate(name, policy, shared), Hashes(b"key", "test"))


async def test_answers_are_shared_in_a_circle_and_limits_are_not() -> None:
    guard, upstream = alone(), Upstream()
    for person in ("ann", "bob"):
        await guard.call(person, b"same", upstream, fresh=False, cache_scope="team")
    assert upstream.calls == 1
    for number in range(2):
        await guard.call("bob", f"{number}".encode(), upstream, fresh=False, cache_scope="team")
    with pytest.raises(RateLimited):
        await guard.call("bob", b"more", upstream, fresh=False, cache_scope="team")
    await guard.call("ann", b"more", upstream, fresh=False, cache_scope="team")
    await guard.call("cyd", b"same", upstream, fresh=False, cache_scope="other team")
    assert upstream.calls == 5


async def test_those_of_a_circle_join_each_others_calls() -> None:
    guard = alone()
    begun, released = asyncio.Event(), asyncio.Event()
    calls = 0

    async def slow() -> bytes:
        nonlocal calls
        calls += 1
        begun.set()
        await released.wait()
        return b"answer"

    people = [asyncio.create_task(guard.call(name, b"q", slow, fresh=False, cache_scope="team")) for name in "abc"]
    await asyncio.wait_for(begun.wait(), 60)
    released.set()
    assert {answer.body for answer in await asyncio.gather(*people)} == {b"answer"}
    assert calls == 1


async def test_a_given_cache_is_the_one_that_is_used() -> None:
    kept = Kept()
    await alone(cache=kept).call("ann", b"q", Upstream(), fresh=False)
    assert list(kept.bodies.values()) == [b"answer"]
    assert (await alone(cache=kept).call("ann", b"q", Upstream(broken()), fresh=False)).cached


async def test_failures_are_not_kept() -> None:
    kept = Kept()
    with pytest.raises(Provider):
        await alone(cache=kept).call("ann", b"q", Upstream(broken()), fresh=False)
    assert kept.bodies == {}


async def test_the_log_has_hash_time_status_and_count(caplog: pytest.LogCaptureFixture) -> None:
    guard = alone()
    with caplog.at_level(logging.INFO, logger="mcp_server.upstream.telemetry"):
        await guard.call("ann", b"secret", Upstream(), fresh=True)
        with pytest.raises(Provider):
            await guard.call("ann", b"secret", Upstream(broken()), fresh=True)
    ok, failed = caplog.records
    assert (ok.__dict__["count"], failed.__dict__["status"]) == (len(b"answer"), 500)
    assert ok.__dict__["duration_ms"] >= 0
    assert "count" not in failed.__dict__
    assert ok.getMessage().split(":")[0] == failed.getMessage().split(":")[0]
    assert "secret" not in str([record.__dict__ for record in caplog.records])


async def test_processes_share_limits_and_the_breaker(shared: Shared) -> None:
    name = f"test:{uuid4().hex}"
    one, other = over(shared, name), over(shared, name)
    await one.call("ann", b"1", Upstream(), fresh=True)
    await other.call("ann", b"2", Upstream(), fresh=True)
    with pytest.raises(RateLimited):
        await one.call("ann", b"3", Upstream(), fresh=True)
    for guard in (one, other):
        with pytest.raises(Provider):
            await guard.call("bob", b"4", Upstream(broken()), fresh=True)
    for guard in (one, other):
        with pytest.raises(Unavailable, match="not there"):
            await guard.call("cyd", b"5", Upstream(), fresh=True)


@pytest.mark.parametrize(("opens", "verdict"), [(True, Unavailable), (False, None)])
async def test_one_time_out_opens_the_shared_breaker_only_where_the_policy_says_so(
    shared: Shared, opens: bool, verdict: type[Exception] | None
) -> None:
    guard = over(shared, f"test:{uuid4().hex}", replace(POLICY, failures=9, time_out_opens=opens))
    with pytest.raises(Provider):
        await guard.call("ann", b"1", Upstream(broken(timed_out=True)), fresh=True)
    if verdict is None:
        assert (await guard.call("ann", b"2", Upstream(), fresh=True)).body == b"answer"
    else:
        with pytest.raises(verdict):
            await guard.call("ann", b"2", Upstream(), fresh=True)
