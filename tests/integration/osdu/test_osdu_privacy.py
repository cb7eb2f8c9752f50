"""A query is nowhere to be found afterwards: not in logs, not in exceptions, not in Redis."""

import logging
from collections.abc import Callable

import pytest
import redis

from tests.made_services import KEY
from tests.redis import RedisServer
from tests.upstreams.faults import Fault
from tests.upstreams.osdu import TOKEN, OsduServer
from tests.upstreams.osdu_caller import caller, settings
from tests.upstreams.osdu_records import PARTITION, WELLBORE
from tests.upstreams.search_engines import MEMORY

ENGINES = (MEMORY,)
CANARY = "canary7f3a"


def everything_in(server: RedisServer) -> bytes:
    """Return all that a Redis holds."""
    with redis.Redis.from_url(server.url) as client:
        keys = list(client.scan_iter())
        assert keys, "the service must have used it"
        return b"\n".join(keys + [client.dump(key) or b"" for key in keys])


async def test_no_query_is_written_down_anywhere(
    osdu: OsduServer, own_redis: Callable[..., RedisServer], caplog: pytest.LogCaptureFixture
) -> None:
    server = own_redis()
    with caplog.at_level(logging.DEBUG):
        async with caller(settings(osdu.url, cache_seconds=10), server.url) as call:
            page = {"kind": WELLBORE, "limit": 2, "query": f"NOT {CANARY}"}
            first = await call("search_query", **page)
            await call("search_query", **page, cursor=first["next_cursor"])
            await call("search_by_id", id=CANARY)
            await call("search_query", query=f'"{CANARY}')
            for status in (400, 401, 403, 429, 500, 503):
                osdu.always = Fault(status, {"message": CANARY}, {"Retry-After": "0"})
                await call("search_query", query=f"{CANARY} {status}")
            osdu.always = Fault(hang_up=True)
            await call("search_query", query=f"{CANARY} gone")
            await call.refused("search_query", query=CANARY, limit=CANARY)
        kept = everything_in(server)
    ours = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("mcp_server"))
    assert "osdu call" in ours
    assert CANARY not in caplog.text
    for secret in (CANARY, TOKEN, KEY.decode(), PARTITION, osdu.url):
        assert secret.encode() not in kept
        assert secret not in ours


async def test_equal_questions_have_equal_hashes_and_others_have_not(
    osdu: OsduServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="mcp_server.upstream.telemetry"):
        async with caller(settings(osdu.url)) as call:
            for query in ("_exists_:id", "_exists_:id", "_exists_:kind"):
                await call("search_query", query=query)
    lines = [record.getMessage() for record in caplog.records if "osdu call" in record.getMessage()]
    assert lines[0] == lines[1] != lines[2]
