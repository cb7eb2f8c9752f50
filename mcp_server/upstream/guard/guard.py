"""The one way to an upstream: cache, joining of equal calls, rate limit, breaker, retries, counts.

Limits and breaker are shared over Redis by all processes; while Redis is away each process goes on by itself.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from indexer.errors import PlatformError
from indexer.single_flight import SingleFlight
from mcp_server.upstream.guard import gate_scripts
from mcp_server.upstream.guard.attempts import AttemptFailed, next_wait
from mcp_server.upstream.guard.cache import AnswerCache, Cache
from mcp_server.upstream.guard.gate import Admission, Gate, LocalGate
from mcp_server.upstream.guard.policy import ErrorMessages, Policy
from mcp_server.upstream.telemetry import Hashes, Seen, Telemetry

_PREFIX: Final = "trawl:upstream:"
_AWAY_SECONDS: Final = 2.0
_BREAKER_MILLISECONDS: Final = 3_600_000
_TOLD_EVERY: Final = 1.0
_CONNECTIONS: Final = 32


class Shared:
    """What the processes of a service have in common, in Redis. Nothing is contacted before the first use."""

    def __init__(self, url: str | None, *, patience: float = 1.0, now: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        self._patience = patience
        self._now = now
        self._away_until = 0.0
        self._redis: Redis | None = None
        self._scripts: dict[str, Any] = {}

    async def run(self, script: str, keys: Sequence[str], arguments: Sequence[str | bytes | int]) -> Any | None:
        """Run a script on names of ours; None while there is no Redis to run it."""
        if self._url is None or self._now() < self._away_until:
            return None
        try:
            return await self._script(script)([_PREFIX + key for key in keys], arguments)
        except (RedisError, OSError, TimeoutError):
            # Looked for again only now and then: a call must not wait for Redis each time.
            self._away_until = self._now() + _AWAY_SECONDS
            return None

    async def aclose(self) -> None:
        """Let go of Redis."""
        if self._redis is not None:
            await self._redis.aclose(close_connection_pool=True)
            self._redis = None
            self._scripts.clear()

    def _script(self, text: str) -> Any:
        if self._redis is None:
            pool = BlockingConnectionPool.from_url(
                str(self._url).replace("redis+socket://", "unix://", 1),
                max_connections=_CONNECTIONS,
                timeout=self._patience,
                socket_timeout=self._patience,
                socket_connect_timeout=self._patience,
                retry=Retry(NoBackoff(), 0),
            )
            self._redis = Redis.from_pool(pool)
        if text not in self._scripts:
            self._scripts[text] = self._redis.register_script(text)
        return self._scripts[text]


class SharedGate:
    """The gate over Redis; what Redis does not answer, the process decides alone."""

    def __init__(self, name: str, policy: Policy, shared: Shared) -> None:
        self._breaker = f"{name}:breaker"
        self._limit = f"{name}:calls:"
        self._policy = policy
        self._shared = shared
        self._alone = LocalGate(policy)
        self._told_at = float("-inf")

    async def enter(self, caller: str, *, counts: bool) -> Admission:
        policy = self._policy
        answer = await self._shared.run(
            gate_scripts.ENTER,
            [self._breaker, self._limit + caller],
            [policy.calls, _milliseconds(policy.window), _milliseconds(policy.trial), int(counts)],
        )
        if answer is None:
            return await self._alone.enter(caller, counts=counts)
        verdicts: dict[bytes, Literal["allowed", "limited", "open"]] = {b"limited": "limited", b"open": "open"}
        verdict, milliseconds, trial, failures = answer
        return Admission(verdicts.get(verdict, "allowed"), milliseconds / 1_000, trial == 1, failures > 0)

    async def succeeded(self, admission: Admission) -> None:
        await self._alone.succeeded(admission)
        now = time.monotonic()
        if admission.trial or admission.troubled or now - self._told_at >= _TOLD_EVERY:
            self._told_at = now
            await self._shared.run(gate_scripts.SUCCEEDED, [self._breaker], [_BREAKER_MILLISECONDS])

    async def failed(self, admission: Admission, *, lasted: float, timed_out: bool) -> None:
        await self._alone.failed(admission, lasted=lasted, timed_out=timed_out)
        policy = self._policy
        cooldowns = [_milliseconds(policy.cooldown), _milliseconds(policy.longest_cooldown)]
        dead = timed_out and policy.time_out_opens
        told = [_milliseconds(lasted), int(dead), int(admission.trial), policy.failures, *cooldowns]
        await self._shared.run(gate_scripts.FAILED, [self._breaker], [*told, _BREAKER_MILLISECONDS])

    async def abandoned(self, admission: Admission) -> None:
        await self._alone.abandoned(admission)
        if admission.trial:
            await self._shared.run(gate_scripts.ABANDONED, [self._breaker], [])


@dataclass(frozen=True, slots=True)
class Answer:
    """What an upstream answered, or had answered shortly before."""

    body: bytes
    cached: bool


class Guard:
    """Stands before one connection to one upstream."""

    def __init__(
        self,
        upstream: str,
        policy: Policy,
        wording: ErrorMessages,
        gate: Gate,
        hashes: Hashes,
        *,
        cache: Cache | None = None,
        count: Callable[[bytes], int] | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Without a cache of its own, answers are kept in this process; `count` says how many results one has."""
        self._policy = policy
        self._wording = wording
        self._gate = gate
        self._hashes = hashes
        self._pause = pause
        self._count = count
        self._answers = cache or AnswerCache(policy.cache_seconds)
        self._flights: SingleFlight[bytes] = SingleFlight()
        self.telemetry = Telemetry(upstream)

    async def call(
        self, caller: str, request: bytes, send: Callable[[], Awaitable[bytes]], *, fresh: bool, cache_scope: str = ""
    ) -> Answer:
        """Answer a request, by `send` where need be, which raises `AttemptFailed`; a fresh one is always sent.

        Limits are the caller's own; answers are shared in a cache_scope, which is the caller alone where none is given.
        """
        name = self._hashes.name(cache_scope or caller, request)
        if fresh:
            return Answer(await self._sent(caller, name, send), cached=False)
        kept = await self._answers.get(name)
        if kept is not None:
            self.telemetry.call("cached", name)
            return Answer(kept, cached=True)
        joined = self._flights.is_under_way(name)
        body = await self._flights.join(name, lambda: self._sent(caller, name, send, keep=True))
        if joined:
            self.telemetry.call("joined", name)
        return Answer(body, cached=False)

    async def _sent(self, caller: str, name: str, send: Callable[[], Awaitable[bytes]], *, keep: bool = False) -> bytes:
        started = time.monotonic()
        try:
            body = await self._tried(self._hashes.name(caller), send)
        except AttemptFailed as failed:
            self.telemetry.call(failed.error.category, name, Seen(time.monotonic() - started, failed.status))
            raise failed.error from None
        except PlatformError as error:
            self.telemetry.call(error.category, name, Seen(time.monotonic() - started))
            raise
        if keep:
            await self._answers.put(name, body)
        results = self._count(body) if self._count is not None else None
        self.telemetry.call("ok", name, Seen(time.monotonic() - started, results=results))
        return body

    async def _tried(self, caller: str, send: Callable[[], Awaitable[bytes]]) -> bytes:
        ends_at = time.monotonic() + self._policy.deadline
        failure: AttemptFailed | None = None
        for attempt in range(1, self._policy.attempts + 1):
            admission = await self._gate.enter(caller, counts=attempt == 1)
            if admission.verdict != "allowed":
                limited = admission.verdict == "limited"
                raise failure or self._wording.refusal(admission.retry_after, limited=limited)
            try:
                return await self._attempt(admission, send, ends_at - time.monotonic())
            except AttemptFailed as failed:
                failure = failed
            wait = next_wait(attempt, self._policy.first_wait, failure.wait)
            impatient = wait > self._policy.longest_wait or time.monotonic() + wait >= ends_at
            if not failure.retry or admission.trial or impatient or attempt == self._policy.attempts:
                raise failure
            await self._pause(wait)
        raise AssertionError  # the last attempt returns or raises

    async def _attempt(self, admission: Admission, send: Callable[[], Awaitable[bytes]], left: float) -> bytes:
        started = time.monotonic()
        try:
            async with asyncio.timeout(max(0.0, min(self._policy.attempt_timeout, left))):
                body = await send()
        except TimeoutError:
            failed = AttemptFailed(self._wording.too_slow(), timed_out=True)
        except AttemptFailed as error:
            failed = error
        except BaseException:
            await self._gate.abandoned(admission)
            raise
        else:
            self.telemetry.request(time.monotonic() - started)
            await self._gate.succeeded(admission)
            return body
        lasted = time.monotonic() - started
        self.telemetry.request(lasted)
        if failed.upstream_broke:
            await self._gate.failed(admission, lasted=lasted, timed_out=failed.timed_out)
        else:
            await self._gate.succeeded(admission)
        raise failed


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1_000))
