"""The guard of an upstream: cache, single flight, rate limiter, circuit breaker, retries and telemetry.

All processes share rate limiter and breaker over Redis; while Redis is unavailable, each process has its own.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from indexer.errors import PlatformError
from indexer.single_flight import SingleFlight
from mcp_server.shared import Shared
from mcp_server.upstream.guard import gate_scripts
from mcp_server.upstream.guard.attempts import AttemptFailed, backoff_delay
from mcp_server.upstream.guard.cache import Cache, ResponseCache
from mcp_server.upstream.guard.gate import Gate, GateDecision, LocalGate
from mcp_server.upstream.guard.policy import ErrorMessages, Policy
from mcp_server.upstream.telemetry import Hashes, Seen, Telemetry

_BREAKER_TTL_MILLISECONDS: Final = 3_600_000
_SUCCESS_INTERVAL_SECONDS: Final = 1.0


class SharedGate:
    """The gate over Redis; while Redis is unavailable, the process decides by its own gate."""

    def __init__(self, name: str, policy: Policy, shared: Shared, total_name: str | None = None) -> None:
        """Take the name of the connection, and the name under which its calls are counted with those of others."""
        self._breaker_key = f"{name}:breaker"
        self._calls_prefix = f"{name}:calls:"
        self._total_keys = [] if policy.total_calls is None else [f"{total_name or name}:total"]
        self._policy = policy
        self._shared = shared
        self._local = LocalGate(policy)
        self._success_recorded_at = float("-inf")

    async def acquire(self, caller: str, *, counts: bool) -> GateDecision:
        policy = self._policy
        limits = [policy.calls, _milliseconds(policy.window), _milliseconds(policy.trial_timeout), int(counts)]
        limits += [policy.total_calls or 0, _milliseconds(policy.total_window)]
        keys = [self._breaker_key, self._calls_prefix + caller, *self._total_keys]
        reply = await self._shared.run(gate_scripts.ACQUIRE, keys, limits)
        if reply is None:
            return await self._local.acquire(caller, counts=counts)
        verdict, milliseconds, trial, failures = reply
        return GateDecision(verdict.decode(), milliseconds / 1_000, trial == 1, failures > 0)

    async def record_success(self, decision: GateDecision) -> None:
        await self._local.record_success(decision)
        now = time.monotonic()
        # While the breaker is closed, one success per interval is enough, and saves a round trip for the others.
        is_due = now - self._success_recorded_at >= _SUCCESS_INTERVAL_SECONDS
        if decision.trial or decision.has_failures or is_due:
            self._success_recorded_at = now
            await self._shared.run(gate_scripts.RECORD_SUCCESS, [self._breaker_key], [_BREAKER_TTL_MILLISECONDS])

    async def record_failure(self, decision: GateDecision, *, duration: float, timed_out: bool) -> None:
        await self._local.record_failure(decision, duration=duration, timed_out=timed_out)
        policy = self._policy
        cooldowns = [_milliseconds(policy.cooldown), _milliseconds(policy.longest_cooldown)]
        can_open = timed_out and policy.time_out_opens
        arguments = [_milliseconds(duration), int(can_open), int(decision.trial), policy.failures, *cooldowns]
        await self._shared.run(
            gate_scripts.RECORD_FAILURE, [self._breaker_key], [*arguments, _BREAKER_TTL_MILLISECONDS]
        )

    async def record_unknown(self, decision: GateDecision) -> None:
        await self._local.record_unknown(decision)
        if decision.trial:
            await self._shared.run(gate_scripts.RECORD_UNKNOWN, [self._breaker_key], [])


@dataclass(frozen=True, slots=True)
class GuardedResponse:
    """The body of an upstream's response, and whether it came from the cache."""

    body: bytes
    cached: bool


class Guard:
    """Guards one connection to one upstream."""

    def __init__(
        self,
        upstream: str,
        policy: Policy,
        messages: ErrorMessages,
        gate: Gate,
        hashes: Hashes,
        *,
        cache: Cache | None = None,
        count: Callable[[bytes], int] | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        telemetry: Telemetry | None = None,
    ) -> None:
        """Without `cache`, responses are cached in this process; `count` counts the results in a body, for the log.

        Connections to the same upstream share `telemetry`.
        """
        self._policy = policy
        self._messages = messages
        self._gate = gate
        self._hashes = hashes
        self._pause = pause
        self._count = count
        self._cache = cache or ResponseCache(policy.cache_seconds)
        self._flights: SingleFlight[bytes] = SingleFlight()
        self.telemetry = telemetry or Telemetry(upstream)

    async def call(
        self, caller: str, request: bytes, send: Callable[[], Awaitable[bytes]], *, fresh: bool, cache_scope: str = ""
    ) -> GuardedResponse:
        """Return the response to a request. `send` raises `AttemptFailed`; it is always called for a fresh request.

        Rate limits are per caller. Responses are shared within `cache_scope`, by default the caller alone.
        """
        name = self._hashes.name(cache_scope or caller, request)
        if fresh:
            return GuardedResponse(await self._send(caller, name, send), cached=False)
        cached = await self._cache.get(name)
        if cached is not None:
            self.telemetry.call("cached", name)
            return GuardedResponse(cached, cached=True)
        joined = self._flights.is_under_way(name)
        body = await self._flights.join(name, lambda: self._send(caller, name, send, store=True))
        if joined:
            self.telemetry.call("joined", name)
        return GuardedResponse(body, cached=False)

    async def _send(
        self, caller: str, name: str, send: Callable[[], Awaitable[bytes]], *, store: bool = False
    ) -> bytes:
        started = time.monotonic()
        try:
            body = await self._send_with_retries(self._hashes.name(caller), send)
        except AttemptFailed as failed:
            seen = Seen(time.monotonic() - started, failed.status, request_id=failed.request_id)
            self.telemetry.call(failed.error.category, name, seen)
            raise failed.error from None
        except PlatformError as error:
            self.telemetry.call(error.category, name, Seen(time.monotonic() - started))
            raise
        if store:
            await self._cache.put(name, body)
        results = self._count(body) if self._count is not None else None
        self.telemetry.call("ok", name, Seen(time.monotonic() - started, results=results))
        return body

    async def _send_with_retries(self, caller: str, send: Callable[[], Awaitable[bytes]]) -> bytes:
        ends_at = time.monotonic() + self._policy.deadline
        failure: AttemptFailed | None = None
        for attempt in range(1, self._policy.attempts + 1):
            decision = await self._gate.acquire(caller, counts=attempt == 1)
            if decision.verdict != "allowed":
                raise failure or self._refusal(decision)
            try:
                return await self._attempt(decision, send, ends_at - time.monotonic())
            except AttemptFailed as failed:
                failure = failed
            delay = backoff_delay(attempt, self._policy.first_wait, failure.wait)
            is_too_long = delay > self._policy.longest_wait or time.monotonic() + delay >= ends_at
            if not failure.retry or decision.trial or is_too_long or attempt == self._policy.attempts:
                raise failure
            await self._pause(delay)
        raise AssertionError  # the last attempt returns or raises

    def _refusal(self, decision: GateDecision) -> PlatformError:
        if decision.verdict == "limited_together":
            return self._messages.limited_together(decision.retry_after)
        return self._messages.refusal(decision.retry_after, limited=decision.verdict == "limited")

    async def _attempt(self, decision: GateDecision, send: Callable[[], Awaitable[bytes]], left: float) -> bytes:
        started = time.monotonic()
        try:
            async with asyncio.timeout(max(0.0, min(self._policy.attempt_timeout, left))):
                body = await send()
        except TimeoutError:
            failed = AttemptFailed(self._messages.too_slow(), timed_out=True)
        except AttemptFailed as error:
            failed = error
        except BaseException:
            await self._gate.record_unknown(decision)
            raise
        else:
            self.telemetry.request(time.monotonic() - started)
            await self._gate.record_success(decision)
            return body
        duration = time.monotonic() - started
        self.telemetry.request(duration)
        if failed.upstream_broke:
            await self._gate.record_failure(decision, duration=duration, timed_out=failed.timed_out)
        else:
            await self._gate.record_success(decision)
        raise failed


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1_000))
