"""Answers that processes share: readable with the key alone, and only under their own name."""

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
import redis

from mcp_server.shared import Shared
from mcp_server.upstream.guard.sealed_cache import SealedCache

CANARY = b"canary7f3a"
LONG = 3_600.0


@pytest.fixture
async def shared(redis_url: str) -> AsyncIterator[Shared]:
    made = Shared(redis_url, patience=60)
    yield made
    await made.aclose()


@pytest.fixture
def place() -> str:
    return f"test:{uuid4().hex}"


async def test_another_process_with_the_same_key_finds_the_answer(shared: Shared, place: str) -> None:
    await SealedCache(place, b"key", LONG, shared).put("question", CANARY)
    other = SealedCache(place, b"key", LONG, shared)
    assert await other.get("question") == CANARY
    assert await other.get("another") is None


async def test_without_the_key_nothing_can_be_read(shared: Shared, redis_url: str, place: str) -> None:
    await SealedCache(place, b"key", LONG, shared).put("question", CANARY)
    assert await SealedCache(place, b"other key", LONG, shared).get("question") is None
    with redis.Redis.from_url(redis_url) as client:
        (key,) = client.scan_iter(f"*{place}*")
        value = client.get(key)
        assert isinstance(value, bytes)
        assert CANARY not in value
        assert 0 < client.pttl(key) <= LONG * 1_000


async def test_the_same_answer_is_never_sealed_alike(shared: Shared, redis_url: str, place: str) -> None:
    cache = SealedCache(place, b"key", LONG, shared)
    await cache.put("one", CANARY)
    await cache.put("two", CANARY)
    with redis.Redis.from_url(redis_url) as client:
        values = {client.get(key) for key in client.scan_iter(f"*{place}*")}
    assert len(values) == 2


@pytest.mark.parametrize("tampered", [b"", b"short", b"x" * 100])
async def test_what_others_wrote_is_no_answer(shared: Shared, redis_url: str, place: str, tampered: bytes) -> None:
    cache = SealedCache(place, b"key", LONG, shared)
    await cache.put("one", CANARY)
    with redis.Redis.from_url(redis_url) as client:
        (key,) = client.scan_iter(f"*{place}*")
        moved = client.get(key)
        assert isinstance(key, bytes)
        assert isinstance(moved, bytes)
        client.set(key[: -len(b"one")] + b"two", moved)
        client.set(key, tampered)
    fresh = SealedCache(place, b"key", LONG, shared)
    assert await fresh.get("one") is None
    assert await fresh.get("two") is None, "an answer must not be moved to another question"


async def test_without_redis_the_process_keeps_its_own_answers() -> None:
    cache = SealedCache("test", b"key", LONG, Shared(None))
    await cache.put("question", CANARY)
    assert await cache.get("question") == CANARY


async def test_nothing_is_kept_where_no_time_is_given(shared: Shared, redis_url: str, place: str) -> None:
    cache = SealedCache(place, b"key", 0, shared)
    await cache.put("question", CANARY)
    assert await cache.get("question") is None
    with redis.Redis.from_url(redis_url) as client:
        assert list(client.scan_iter(f"*{place}*")) == []


async def test_large_answers_stay_in_the_process(shared: Shared, redis_url: str, place: str) -> None:
    cache = SealedCache(place, b"key", LONG, shared)
    await cache.put("question", b"x" * 1_000_001)
    assert await cache.get("question") is not None
    with redis.Redis.from_url(redis_url) as client:
        assert list(client.scan_iter(f"*{place}*")) == []
