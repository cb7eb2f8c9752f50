"""The rules of limit and breaker, by a clock of the test's own."""

from dataclasses import dataclass, replace

import pytest

from mcp_server.upstream.guard.gate import GateDecision, LocalGate
from mcp_server.upstream.guard.policy import Policy

POLICY = Policy(calls=3, window=60, failures=2, cooldown=5, longest_cooldown=15, attempt_timeout=9)


@dataclass
class Clock:
    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def gate(clock: Clock) -> LocalGate:
    return LocalGate(POLICY, clock)


async def entered(gate: LocalGate, caller: str = "a") -> GateDecision:
    return await gate.acquire(caller, counts=True)


async def test_a_caller_has_so_many_calls_in_any_window(gate: LocalGate, clock: Clock) -> None:
    for _ in range(3):
        assert (await entered(gate)).verdict == "allowed"
        clock.now += 10
    assert await entered(gate) == GateDecision("limited", retry_after=30)
    assert (await entered(gate, "b")).verdict == "allowed"
    clock.now += 30
    assert (await entered(gate)).verdict == "allowed"
    assert (await entered(gate)).verdict == "limited"
    clock.now += 10
    assert (await entered(gate)).verdict == "allowed"


async def test_a_retry_does_not_count(gate: LocalGate) -> None:
    for _ in range(9):
        assert (await gate.acquire("a", counts=False)).verdict == "allowed"
    assert (await entered(gate)).verdict == "allowed"


async def test_failures_without_a_success_between_them_open_the_breaker(gate: LocalGate, clock: Clock) -> None:
    decision = GateDecision("allowed")
    await gate.record_failure(decision, duration=0, timed_out=False)
    await gate.record_success(decision)
    await gate.record_failure(decision, duration=0, timed_out=False)
    assert (await entered(gate)).verdict == "allowed"
    await gate.record_failure(decision, duration=0, timed_out=False)
    clock.now += 1
    assert await entered(gate) == GateDecision("open", retry_after=4)


async def test_a_refused_call_costs_the_caller_none_of_its_limit(gate: LocalGate, clock: Clock) -> None:
    await gate.record_failure(GateDecision("allowed"), duration=1, timed_out=True)
    for _ in range(10):
        assert (await entered(gate)).verdict == "open"
    clock.now += 5
    assert (await entered(gate)).verdict == "allowed"


async def test_one_time_out_opens_the_breaker_unless_another_call_succeeded_meanwhile(
    gate: LocalGate, clock: Clock
) -> None:
    await gate.record_success(GateDecision("allowed"))
    clock.now += 3
    await gate.record_failure(GateDecision("allowed"), duration=9, timed_out=True)
    assert (await entered(gate)).verdict == "allowed"
    await gate.record_success(GateDecision("allowed"))
    clock.now += 10
    await gate.record_failure(GateDecision("allowed"), duration=9, timed_out=True)
    assert (await entered(gate)).verdict == "open"


async def test_where_the_policy_says_so_a_time_out_is_one_failure_among_others(clock: Clock) -> None:
    gate = LocalGate(replace(POLICY, time_out_opens=False), clock)
    await gate.record_failure(GateDecision("allowed"), duration=9, timed_out=True)
    assert (await entered(gate)).verdict == "allowed"
    await gate.record_failure(GateDecision("allowed"), duration=9, timed_out=True)
    assert (await entered(gate)).verdict == "open"


async def test_an_open_breaker_lets_one_trial_through_whose_success_closes_it(gate: LocalGate, clock: Clock) -> None:
    await gate.record_failure(GateDecision("allowed"), duration=9, timed_out=True)
    clock.now += 5
    trial = await entered(gate)
    assert trial.trial
    assert await entered(gate, "b") == GateDecision("open", retry_after=10)
    await gate.record_success(trial)
    assert await entered(gate, "b") == GateDecision("allowed")


async def test_each_failed_trial_doubles_the_time_up_to_the_longest(gate: LocalGate, clock: Clock) -> None:
    await gate.record_failure(GateDecision("allowed"), duration=9, timed_out=True)
    for expected in (10, 15, 15):
        clock.now += 60
        trial = await entered(gate)
        assert trial.trial
        await gate.record_failure(trial, duration=0, timed_out=False)
        assert await entered(gate) == GateDecision("open", retry_after=expected)


async def test_a_trial_that_nobody_waited_for_makes_room_for_another(gate: LocalGate, clock: Clock) -> None:
    await gate.record_failure(GateDecision("allowed"), duration=9, timed_out=True)
    clock.now += 5
    await gate.record_unknown(await entered(gate))
    assert (await entered(gate)).trial


async def test_a_late_failure_does_not_keep_an_open_breaker_open(gate: LocalGate, clock: Clock) -> None:
    await gate.record_failure(GateDecision("allowed"), duration=9, timed_out=True)
    clock.now += 4
    await gate.record_failure(GateDecision("allowed"), duration=9, timed_out=True)
    clock.now += 1
    assert (await entered(gate)).trial


async def test_callers_that_went_quiet_are_forgotten(gate: LocalGate, clock: Clock) -> None:
    for number in range(10_000):
        await entered(gate, str(number))
    clock.now += 61
    await entered(gate, "new")
    assert len(gate._calls) == 1
