"""Who may call an upstream now: the rate limit of each caller and the breaker of all, kept in one process.

`gate_scripts` holds the same rules for Redis, where all processes of a service share them.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from mcp_server.upstream.guard.policy import Policy

_MOST_CALLERS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether a request may go out. A trial is the one request that an open breaker lets through."""

    verdict: Literal["allowed", "limited", "open"]
    retry_after: float = 0.0
    trial: bool = False
    troubled: bool = False
    """Failures are on record, so a success is worth telling at once."""


class Gate(Protocol):
    """Asked before each request, told after it."""

    async def enter(self, caller: str, *, counts: bool) -> Admission: ...

    async def succeeded(self, admission: Admission) -> None:
        """Note that the upstream is alive, whatever it answered."""

    async def failed(self, admission: Admission, *, lasted: float, timed_out: bool) -> None:
        """Note that the upstream failed, after so many seconds."""

    async def abandoned(self, admission: Admission) -> None:
        """Note that nobody knows: the caller went away."""


class LocalGate:
    """The rules in plain Python, for one process."""

    def __init__(self, policy: Policy, now: Callable[[], float] = time.monotonic) -> None:
        self._policy = policy
        self._now = now
        self._calls: dict[str, deque[float]] = {}
        self._failures = 0
        self._cooldown = 0.0
        self._open_until = 0.0
        self._trial_until = 0.0
        self._succeeded_at = float("-inf")

    async def enter(self, caller: str, *, counts: bool) -> Admission:
        now = self._now()
        trial = False
        if self._open_until:
            closed_until = max(self._open_until, self._trial_until)
            if now < closed_until:
                return Admission("open", closed_until - now)
            trial = True
        if counts and (wait := self._counted(caller, now)) > 0:
            return Admission("limited", wait)
        if trial:
            self._trial_until = now + self._policy.trial
        return Admission("allowed", trial=trial, troubled=self._failures > 0)

    async def succeeded(self, admission: Admission) -> None:  # noqa: ARG002 - any success closes the breaker
        self._failures = 0
        self._cooldown = self._open_until = self._trial_until = 0.0
        self._succeeded_at = self._now()

    async def failed(self, admission: Admission, *, lasted: float, timed_out: bool) -> None:
        now = self._now()
        self._failures += 1
        # Where another call succeeded meanwhile the upstream is alive, and only this question was too hard for it.
        dead = timed_out and self._policy.time_out_opens and self._succeeded_at < now - lasted
        if admission.trial:
            doubled = max(self._cooldown * 2, self._policy.cooldown)
            self._cooldown = min(doubled, self._policy.longest_cooldown)
        elif self._open_until or not (dead or self._failures >= self._policy.failures):
            return
        else:
            self._cooldown = self._policy.cooldown
        self._open_until = now + self._cooldown
        self._trial_until = 0.0

    async def abandoned(self, admission: Admission) -> None:
        if admission.trial:
            self._trial_until = 0.0

    def _counted(self, caller: str, now: float) -> float:
        """Count a call, or return how long to wait where the caller has none left."""
        if caller not in self._calls and len(self._calls) >= _MOST_CALLERS:
            self._forget(now)
        calls = self._calls.setdefault(caller, deque(maxlen=self._policy.calls))
        if len(calls) == self._policy.calls and (wait := calls[0] + self._policy.window - now) > 0:
            return wait
        calls.append(now)
        return 0.0

    def _forget(self, now: float) -> None:
        quiet = [caller for caller, calls in self._calls.items() if calls[-1] + self._policy.window <= now]
        for caller in quiet or list(self._calls)[:1]:
            del self._calls[caller]
