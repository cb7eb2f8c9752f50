"""The limit of all callers together, in one process and over a real Redis."""

from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import uuid4

import pytest

from mcp_server.shared import Shared
from mcp_server.upstream.guard.gate import Gate, GateDecision, LocalGate
from mcp_server.upstream.guard.guard import SharedGate
from mcp_server.upstream.guard.policy import ErrorMessages, Policy

HOUR = 3_600.0
POLICY = Policy(calls=2, window=HOUR, total_calls=3, total_window=HOUR)


@pytest.fixture(params=["with Redis", "without"])
async def gate(request: pytest.FixtureRequest, redis_url: str) -> AsyncIterator[Gate]:
    if request.param == "without":
        yield LocalGate(POLICY)
        return
    shared = Shared(redis_url, patience=60)
    yield SharedGate(f"test:{uuid4().hex}", POLICY, shared)
    await shared.aclose()


async def verdicts(gate: Gate, *callers: str, counts: bool = True) -> list[str]:
    return [(await gate.acquire(caller, counts=counts)).verdict for caller in callers]


async def test_all_callers_together_have_so_many_calls(gate: Gate) -> None:
    assert await verdicts(gate, "a", "a", "b") == ["allowed"] * 3
    assert await verdicts(gate, "b", "c") == ["limited_together"] * 2
    decision = await gate.acquire("c", counts=True)
    assert 0 < decision.retry_after <= HOUR


async def test_a_call_over_the_callers_own_limit_is_none_of_all(gate: Gate) -> None:
    assert await verdicts(gate, "a", "a", "a", "a", "b", "b") == [
        *("allowed", "allowed", "limited", "limited"),
        *("allowed", "limited_together"),
    ]


async def test_a_retry_does_not_count(gate: Gate) -> None:
    assert await verdicts(gate, *"abcdef", counts=False) == ["allowed"] * 6
    assert await verdicts(gate, "a") == ["allowed"]


async def test_a_call_over_the_limit_of_all_is_none_of_the_callers() -> None:
    clock = 1_000.0
    gate = LocalGate(replace(POLICY, total_window=60), lambda: clock)
    assert await verdicts(gate, "a", "b", "b") == ["allowed"] * 3
    assert await gate.acquire("c", counts=True) == GateDecision("limited_together", retry_after=60)
    clock += 60
    assert await verdicts(gate, "c", "c", "c") == ["allowed", "allowed", "limited"]


async def test_without_a_limit_all_may_call() -> None:
    gate = LocalGate(replace(POLICY, total_calls=None))
    assert await verdicts(gate, *"abcdefgh") == ["allowed"] * 8


async def test_services_share_it_over_redis(redis_url: str) -> None:
    name = f"test:{uuid4().hex}"
    one, other = Shared(redis_url, patience=60), Shared(redis_url, patience=60)
    first, second = SharedGate(name, POLICY, one), SharedGate(name, POLICY, other)
    assert await verdicts(first, "a", "b") + await verdicts(second, "c") == ["allowed"] * 3
    assert await verdicts(first, "d") + await verdicts(second, "e") == ["limited_together"] * 2
    await one.aclose()
    await other.aclose()


def test_the_failure_says_that_others_may_have_used_it_up() -> None:
    messages = ErrorMessages(limited="too many", unavailable="not there", timed_out="too slow")
    failure = messages.limited_together(12).failure()
    assert (failure["error"], failure["error_category"]) == ("too many", "rate_limit")
    assert failure["details"] == {"limit": "all teams together", "retry_after_s": 12}
    assert "another team" in failure["fix"]["required_action"]
