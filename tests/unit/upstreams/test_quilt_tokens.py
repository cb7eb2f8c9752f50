"""Tokens of a registry: exchanged, rotated, kept across restarts and processes, not lost by a caller who leaves."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import orjson
import pytest

from indexer.bootstrap import open_library
from indexer.engines.record_port import Records
from indexer.errors import Unavailable
from indexer.settings import IndexerSettings
from mcp_server.features.quilt.api.token_store import Issued, TokenStore
from mcp_server.features.quilt.api.tokens import RefreshToken
from mcp_server.features.quilt.failures import ERROR_MESSAGES
from mcp_server.upstream.guard.attempts import AttemptFailed
from mcp_server.upstream.transport import Reply, Transport

REGISTRY = "http://registry"
HOUR = 3_600.0


class Registry(Transport):
    """Rotates refresh tokens: each works once."""

    def __init__(self) -> None:
        super().__init__(ERROR_MESSAGES)
        self.clock = 1_000_000.0
        self.lasts = HOUR
        self.good = {"first"}
        self.asked: list[str] = []
        self.status = 200
        self.reached = asyncio.Event()
        self.gate: asyncio.Event | None = None

    async def post(self, url: str, body: bytes, headers: object) -> Reply:  # noqa: ARG002 - the signature is Transport's
        assert url == f"{REGISTRY}/api/token"
        (token,) = parse_qs(body.decode())["refresh_token"]
        self.asked.append(token)
        self.reached.set()
        if self.gate is not None:
            await self.gate.wait()
        if self.status != 200:
            return Reply(self.status, {}, b"")
        if token not in self.good:
            return Reply(200, {}, orjson.dumps({"error": "no"}))
        number = len(self.asked)
        self.good = {*(self.good - {token}), f"refresh-{number}"}
        issued = {"refresh_token": f"refresh-{number}", "access_token": f"access-{number}"}
        return Reply(200, {}, orjson.dumps(issued | {"expires_at": self.clock + self.lasts}))


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Records]:
    folder: Path = tmp_path_factory.mktemp("quilt_tokens")
    library = open_library(IndexerSettings(engine="tantivy", data_dir=folder))
    yield library.engine.records
    library.close()


def tokens(registry: Registry, store: TokenStore | None = None, timeout_seconds: float = 60.0) -> RefreshToken:
    kept = store or TokenStore(None, b"key", "alone")
    return RefreshToken("first", registry, kept, timeout_seconds, now=lambda: registry.clock)


async def test_a_token_is_renewed_a_minute_before_it_expires_with_the_rotated_one() -> None:
    registry = Registry()
    credentials = tokens(registry)
    assert await credentials.token(REGISTRY) == "access-1"
    registry.clock += HOUR - 61
    assert await credentials.token(REGISTRY) == "access-1"
    registry.clock += 2
    assert await credentials.token(REGISTRY) == "access-2"
    assert registry.asked == ["first", "refresh-1"]


async def test_callers_at_the_same_time_share_one_renewal() -> None:
    registry = Registry()
    credentials = tokens(registry)
    assert set(await asyncio.gather(*(credentials.token(REGISTRY) for _ in range(10)))) == {"access-1"}
    assert registry.asked == ["first"]


async def test_a_renewal_goes_on_when_its_caller_leaves() -> None:
    registry = Registry()
    registry.gate = asyncio.Event()
    credentials = tokens(registry)
    leaving = asyncio.create_task(credentials.token(REGISTRY))
    await registry.reached.wait()
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    registry.gate.set()
    assert await credentials.token(REGISTRY) == "access-1"
    assert registry.asked == ["first"], "the rotated token was not lost"


async def test_a_restart_goes_on_with_what_was_kept(records: Records) -> None:
    registry = Registry()
    store = TokenStore(records, b"key", "restart")
    assert await tokens(registry, store).token(REGISTRY) == "access-1"
    assert await tokens(registry, store).token(REGISTRY) == "access-1", "a token that still works is used again"
    registry.clock += HOUR
    assert await tokens(registry, store).token(REGISTRY) == "access-2"
    assert registry.asked == ["first", "refresh-1"]


async def test_when_the_kept_token_is_refused_the_configured_one_is_tried(records: Records) -> None:
    registry = Registry()
    store = TokenStore(records, b"key", "fallback")
    await store.put(Issued("stale", "expired", registry.clock - 1))
    assert await tokens(registry, store).token(REGISTRY) == "access-2"
    assert registry.asked == ["stale", "first"]


async def test_a_token_that_another_process_used_up_is_taken_from_where_that_kept_the_next(records: Records) -> None:
    registry = Registry()
    store = TokenStore(records, b"key", "processes")
    one, other = tokens(registry, store), tokens(registry, store)
    assert await one.token(REGISTRY) == await other.token(REGISTRY) == "access-1"
    registry.clock += HOUR
    assert await one.token(REGISTRY) == "access-2"
    assert await other.token(REGISTRY) == "access-2"
    assert registry.asked == ["first", "refresh-1"]


async def test_tokens_are_kept_sealed(records: Records) -> None:
    store = TokenStore(records, b"key", "sealed")
    await store.put(Issued("hush-refresh", "hush-access", 5.0))
    assert await store.get() == Issued("hush-refresh", "hush-access", 5.0)
    record = records.get("upstream_tokens", "sealed")
    assert record is not None
    assert "hush" not in str(record.value)
    assert await TokenStore(records, b"another key", "sealed").get() is None
    assert await TokenStore(records, b"another key", "renamed", earlier=store).get() == await store.get()


async def test_a_refused_access_token_is_not_used_again() -> None:
    registry = Registry()
    credentials = tokens(registry)
    assert credentials.invalidate(await credentials.token(REGISTRY))
    assert await credentials.token(REGISTRY) == "access-2"


async def test_while_the_registry_issues_nothing_a_token_is_used_to_its_end() -> None:
    registry = Registry()
    credentials = tokens(registry)
    await credentials.token(REGISTRY)
    registry.status = 503
    registry.clock += HOUR - 30
    assert await credentials.token(REGISTRY) == "access-1"
    registry.clock += 31
    with pytest.raises(AttemptFailed) as failed:
        await credentials.token(REGISTRY)
    assert isinstance(failed.value.error, Unavailable)


async def test_where_every_token_is_refused_it_says_what_to_set() -> None:
    registry = Registry()
    registry.good.clear()
    with pytest.raises(AttemptFailed) as failed:
        await tokens(registry).token(REGISTRY)
    error = failed.value.error
    assert (error.category, error.message) == ("authentication", "Search catalog requires authentication")
    assert "TRAWL_QUILT_TOKEN" in str(error.command)


async def test_a_silent_registry_is_a_time_out() -> None:
    registry = Registry()
    registry.gate = asyncio.Event()
    credentials = tokens(registry, timeout_seconds=0.01)
    for _ in range(2):
        with pytest.raises(AttemptFailed) as failed:
            await credentials.token(REGISTRY)
        assert failed.value.timed_out
    assert registry.asked == ["first", "first"], "each waits for an attempt of its own"
    await credentials.aclose()
