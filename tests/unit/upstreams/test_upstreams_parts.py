"""The guard's small parts: cache, waiting times, hashes."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from indexer.errors import RateLimited
from mcp_server.upstream.guard.attempts import retry_after
from mcp_server.upstream.guard.cache import ResponseCache
from mcp_server.upstream.telemetry import Hashes

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 0 "}, 0.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": format_datetime(NOW + timedelta(seconds=90), usegmt=True)}, 90.0),
        ({"retry-after": format_datetime(NOW - timedelta(seconds=90), usegmt=True)}, 0.0),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:10 -0000"}, 10.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "٣"}, None),
        ({"retry-after": "nan"}, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


def test_a_rate_limit_always_says_at_least_a_second() -> None:
    assert RateLimited("busy", retry_after=0.2).failure()["details"] == {"retry_after_s": 1}


async def test_kept_answers_grow_old() -> None:
    clock = [0.0]
    cache = ResponseCache(10, lambda: clock[0])
    await cache.put("a", b"1")
    clock[0] = 9.9
    assert await cache.get("a") == b"1"
    clock[0] = 10.0
    assert await cache.get("a") is None
    assert await cache.get("unknown") is None


async def test_what_was_used_longest_ago_makes_room() -> None:
    cache = ResponseCache(10, lambda: 0.0)
    for number in range(10):
        await cache.put(str(number), b"x" * 3_500_000)
        await cache.get("0")
    assert await cache.get("0") is not None
    assert await cache.get("1") is None
    assert await cache.get("9") is not None
    await cache.put("huge", b"x" * 4_000_001)
    assert await cache.get("huge") is None
    assert cache._bodies.currsize <= 32_000_000


async def test_nothing_is_kept_where_no_time_is_given() -> None:
    cache = ResponseCache(0, lambda: 0.0)
    await cache.put("a", b"1")
    assert await cache.get("a") is None


def test_hashes_depend_on_key_purpose_and_where_parts_end() -> None:
    hashes = Hashes(b"key", "osdu")
    assert hashes.name("a", b"b") == hashes.name(b"a", "b")
    assert hashes.name("ab", "c") != hashes.name("a", "bc")
    assert hashes.name("a") != Hashes(b"other", "osdu").name("a")
    assert hashes.name("a") != Hashes(b"key", "web").name("a")
    assert hashes.name("\ud800") != hashes.name("a")
