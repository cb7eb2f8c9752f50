"""The guard before a real server over HTTP, with a real Redis and several processes."""

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from indexer.errors import PlatformError
from mcp_server.features.osdu.api.connection import OsduConnection
from mcp_server.shared import Shared
from mcp_server.upstream.guard.guard import Guard
from mcp_server.upstream.guard.policy import Policy
from tests.made_services import MAIN
from tests.redis import RedisServer
from tests.service import ROOT
from tests.upstreams.faults import Fault
from tests.upstreams.guarded import PATIENCE, POLICY, guard_on
from tests.upstreams.osdu import OsduServer
from tests.upstreams.osdu_caller import settings

NOTHING = b'{"results": [], "totalCount": 0}'


@pytest.fixture
async def upstream() -> AsyncIterator[OsduServer]:
    """A server without records, that answers every question alike."""
    server = OsduServer(None)
    server.answer = NOTHING
    async with server.running():
        yield server


@asynccontextmanager
async def asking(
    upstream: OsduServer, policy: Policy, redis_url: str | None = None, patience: float = PATIENCE
) -> AsyncIterator[tuple[OsduConnection, Guard]]:
    shared = Shared(redis_url, patience=patience)
    guard = guard_on(shared, uuid4().hex, policy)
    connection = OsduConnection(settings(upstream.url), guard)
    try:
        yield connection, guard
    finally:
        await connection.aclose()
        await shared.aclose()


async def outcome(connection: OsduConnection, query: str) -> str:
    try:
        await connection.search(MAIN, "query", {"kind": "*:*:*:*", "query": query})
    except PlatformError as error:
        return error.category
    return "ok"


async def in_processes(upstream: OsduServer, redis_url: str, name: str, counts: list[int]) -> list[list[str]]:
    """Make calls in as many processes, all at once."""
    started = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.upstreams.guarded", upstream.url, redis_url, name, str(count)),
            stdout=asyncio.subprocess.PIPE,
            cwd=ROOT,
        )
        for count in counts
    ]
    printed = await asyncio.gather(*(process.communicate() for process in started))
    return [json.loads(out) for out, _ in printed]


async def test_two_processes_share_one_limit(upstream: OsduServer, redis_url: str) -> None:
    seen = await in_processes(upstream, redis_url, uuid4().hex, [8, 8])
    assert Counter(seen[0] + seen[1]) == {"ok": POLICY.calls, "rate_limit": 16 - POLICY.calls}
    assert len(upstream.requests) == POLICY.calls


async def test_two_processes_share_one_breaker(upstream: OsduServer, redis_url: str) -> None:
    name = uuid4().hex
    upstream.always = Fault(500, {})
    (first,) = await in_processes(upstream, redis_url, name, [POLICY.failures])
    assert first == ["provider"] * POLICY.failures
    upstream.always = None
    (second,) = await in_processes(upstream, redis_url, name, [2])
    assert second == ["unavailable"] * 2
    assert len(upstream.requests) == POLICY.failures


async def test_500_equal_concurrent_calls_are_one_upstream_call(upstream: OsduServer) -> None:
    upstream.barrier = asyncio.Event()
    async with asking(upstream, replace(POLICY, calls=1)) as (connection, guard):
        calls = [asyncio.create_task(outcome(connection, "same")) for _ in range(500)]
        deadline = time.monotonic() + 60
        while not any(flight.waiters == 500 for flight in guard._flights._flights.values()):
            assert time.monotonic() < deadline
            await asyncio.sleep(0)
        upstream.barrier.set()
        assert Counter(await asyncio.gather(*calls)) == {"ok": 500}
    assert len(upstream.requests) == 1
    assert guard.telemetry.outcomes == {"ok": 1, "joined": 499}


async def test_answers_are_kept_for_a_while_and_do_not_count(upstream: OsduServer) -> None:
    async with asking(upstream, replace(POLICY, calls=2, cache_seconds=3_600)) as (connection, guard):
        assert [await outcome(connection, query) for query in ("a", "a", "b", "a")] == ["ok"] * 4
        assert await outcome(connection, "c") == "rate_limit"
    assert len(upstream.requests) == 2
    assert guard.telemetry.outcomes["cached"] == 2


async def test_failures_are_not_kept(upstream: OsduServer) -> None:
    upstream.faults.append(Fault(400, {}))
    async with asking(upstream, replace(POLICY, cache_seconds=3_600)) as (connection, _):
        assert await outcome(connection, "a") == "validation"
        assert await outcome(connection, "a") == "ok"


@pytest.mark.parametrize("with_redis", [True, False])
async def test_a_dead_upstream_costs_each_caller_one_time_out_at_most(
    upstream: OsduServer, redis_url: str, with_redis: bool
) -> None:
    upstream.always = Fault(hang=True)
    policy = replace(POLICY, calls=1_000, attempts=3, attempt_timeout=0.3)

    async def caller(connection: OsduConnection, name: int) -> list[str]:
        return [await outcome(connection, f"{name}-{number}") for number in range(4)]

    async with asking(upstream, policy, redis_url if with_redis else None) as (connection, _):
        seen = await asyncio.gather(*(caller(connection, name) for name in range(16)))
        asked = len(upstream.requests)
        assert await outcome(connection, "afterwards") == "unavailable"
        assert len(upstream.requests) == asked
    assert all(each.count("timeout") <= 1 for each in seen)
    assert all(each[1:] == ["unavailable"] * 3 for each in seen)


@pytest.mark.parametrize("with_redis", [True, False])
async def test_an_upstream_that_comes_back_is_used_again_without_help(
    upstream: OsduServer, redis_url: str, with_redis: bool
) -> None:
    upstream.always = Fault(503, {})
    policy = replace(POLICY, calls=1_000_000, cooldown=0.05, longest_cooldown=0.1)
    async with asking(upstream, policy, redis_url if with_redis else None) as (connection, _):
        failed = [await outcome(connection, "a") for _ in range(policy.failures)]
        assert set(failed) == {"unavailable"}
        upstream.always = None
        deadline = time.monotonic() + 60
        while await outcome(connection, "b") != "ok":
            assert time.monotonic() < deadline
        assert [await outcome(connection, query) for query in "cdef"] == ["ok"] * 4


async def test_without_redis_each_process_limits_by_itself_and_goes_on(upstream: OsduServer) -> None:
    async with asking(upstream, replace(POLICY, calls=3), "redis://127.0.0.1:1/0") as (connection, _):
        seen = [await outcome(connection, str(number)) for number in range(5)]
    assert seen == ["ok"] * 3 + ["rate_limit"] * 2


async def test_a_redis_that_dies_stops_nobody_and_is_used_again_when_it_is_back(
    upstream: OsduServer, own_redis: Callable[..., RedisServer]
) -> None:
    server = own_redis()
    shared = Shared(server.url, patience=PATIENCE, now=lambda: clock[0])
    clock = [0.0]
    connection = OsduConnection(settings(upstream.url), guard_on(shared, uuid4().hex, replace(POLICY, calls=2)))
    try:
        assert await outcome(connection, "a") == "ok"
        server.kill()
        assert [await outcome(connection, query) for query in "bcd"] == ["ok", "ok", "rate_limit"]
        server.start()
        assert await outcome(connection, "e") == "rate_limit"
        clock[0] += 60
        assert [await outcome(connection, query) for query in "fgh"] == ["ok", "ok", "rate_limit"]
    finally:
        await connection.aclose()
        await shared.aclose()


async def test_an_open_breaker_lets_one_trial_through(upstream: OsduServer, redis_url: str) -> None:
    policy = replace(POLICY, calls=1_000_000, failures=1, cooldown=0.001, longest_cooldown=0.001)
    upstream.faults.append(Fault(500, {}))
    async with asking(upstream, policy, redis_url) as (connection, _):
        assert await outcome(connection, "a") == "provider"
        upstream.barrier = asyncio.Event()
        trial = asyncio.create_task(outcome(connection, "b"))
        deadline = time.monotonic() + 60
        while len(upstream.requests) < 2:
            assert time.monotonic() < deadline
            await asyncio.sleep(0)
            if trial.done():  # the breaker still refused
                trial = asyncio.create_task(outcome(connection, "b"))
        refused: list[Any] = [await outcome(connection, query) for query in "cde"]
        upstream.barrier.set()
        assert await trial == "ok"
        assert refused == ["unavailable"] * 3
        assert await outcome(connection, "f") == "ok"
