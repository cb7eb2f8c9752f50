"""The rate limiters of callers (sliding windows) and the circuit breaker of an upstream, in one process.

`gate_scripts` implements the same rules for Redis, where all processes of a service share them.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from mcp_server.upstream.guard.policy import Policy

_MAX_CALLERS: Final = 10_000


@dataclass(frozen=True, slots=True)
class GateDecision:
    """Whether a request may be sent: allowed, over the caller's rate limit or that of all, or the breaker is open."""

    verdict: Literal["allowed", "limited", "limited_together", "open"]
    retry_after: float = 0.0
    trial: bool = False
    """Whether it is the one request that a half-open breaker lets through."""
    has_failures: bool = False
    """Whether the breaker has counted failures, so that a success must be recorded at once."""


class Gate(Protocol):
    """Decides before each request, and records its outcome."""

    async def acquire(self, caller: str, *, counts: bool) -> GateDecision:
        """Decide whether a request may be sent; `counts` is whether it counts towards the caller's rate limit."""

    async def record_success(self, decision: GateDecision) -> None:
        """Record that the upstream responded, even if it rejected the request."""

    async def record_failure(self, decision: GateDecision, *, duration: float, timed_out: bool) -> None:
        """Record that the upstream failed after this many seconds."""

    async def record_unknown(self, decision: GateDecision) -> None:
        """Record that the outcome is unknown: the request was cancelled, or a bug ended it."""


class LocalGate:
    """The rules in plain Python, for one process.

    The breaker is closed while `_open_until` is 0, open until that time, and half-open after it: one trial request is
    let through, and all others are rejected until it ends or `_trial_until` passes.
    """

    def __init__(self, policy: Policy, now: Callable[[], float] = time.monotonic) -> None:
        self._policy = policy
        self._now = now
        self._calls: dict[str, deque[float]] = {}
        self._total: deque[float] = deque(maxlen=policy.total_calls)
        self._failures = 0
        self._cooldown = 0.0
        self._open_until = 0.0
        self._trial_until = 0.0
        self._succeeded_at = float("-inf")

    async def acquire(self, caller: str, *, counts: bool) -> GateDecision:
        now = self._now()
        trial = False
        if self._open_until:
            rejected_until = max(self._open_until, self._trial_until)
            if now < rejected_until:
                return GateDecision("open", rejected_until - now)
            trial = True
        if counts and (limited := self._count_call(caller, now)) is not None:
            return limited
        if trial:
            self._trial_until = now + self._policy.trial_timeout
        return GateDecision("allowed", trial=trial, has_failures=self._failures > 0)

    async def record_success(self, decision: GateDecision) -> None:  # noqa: ARG002 - any success closes the breaker
        self._failures = 0
        self._cooldown = self._open_until = self._trial_until = 0.0
        self._succeeded_at = self._now()

    async def record_failure(self, decision: GateDecision, *, duration: float, timed_out: bool) -> None:
        now = self._now()
        self._failures += 1
        # A success of another request in the meantime shows that the upstream is up and only this request was slow.
        is_down = timed_out and self._policy.time_out_opens and self._succeeded_at < now - duration
        if decision.trial:
            doubled = max(self._cooldown * 2, self._policy.cooldown)
            self._cooldown = min(doubled, self._policy.longest_cooldown)
        elif self._open_until or not (is_down or self._failures >= self._policy.failures):
            return
        else:
            self._cooldown = self._policy.cooldown
        self._open_until = now + self._cooldown
        self._trial_until = 0.0

    async def record_unknown(self, decision: GateDecision) -> None:
        if decision.trial:
            self._trial_until = 0.0

    def _count_call(self, caller: str, now: float) -> GateDecision | None:
        """Count a call, or return the decision against it; a call over one limit does not count towards the other."""
        if caller not in self._calls and len(self._calls) >= _MAX_CALLERS:
            self._evict_idle_callers(now)
        calls = self._calls.setdefault(caller, deque(maxlen=self._policy.calls))
        if (wait := _wait(calls, self._policy.window, now)) > 0:
            return GateDecision("limited", wait)
        if self._policy.total_calls is not None:
            if (wait := _wait(self._total, self._policy.total_window, now)) > 0:
                return GateDecision("limited_together", wait)
            self._total.append(now)
        calls.append(now)
        return None

    def _evict_idle_callers(self, now: float) -> None:
        window = self._policy.window
        idle = [caller for caller, calls in self._calls.items() if not calls or calls[-1] + window <= now]
        for caller in idle or list(self._calls)[:1]:
            del self._calls[caller]


def _wait(calls: deque[float], window: float, now: float) -> float:
    """Return how long a full window stays full."""
    return calls[0] + window - now if len(calls) == calls.maxlen else 0.0
