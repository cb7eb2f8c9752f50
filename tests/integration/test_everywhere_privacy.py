"""A query is nowhere to be found afterwards, whatever becomes of the sources."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from tests.redis import RedisServer
from tests.unit.everywhere.everywhere_caller import caller, osdu_settings, outcomes
from tests.unit.everywhere.made_sources import PATIENT
from tests.upstreams.faults import Fault
from tests.upstreams.openai import Answer, openai_server
from tests.upstreams.openai_caller import settings as web_settings
from tests.upstreams.osdu import OsduServer

CANARY = "canary4b9e"


def everything_in(server: RedisServer) -> bytes:
    """Return all that a Redis holds."""
    with redis.Redis.from_url(server.url) as client:
        keys = list(client.scan_iter())
        assert keys, "the service must have used it"
        return b"\n".join(keys + [client.dump(key) or b"" for key in keys])


async def test_no_query_is_written_down_anywhere(
    own_redis: Callable[..., RedisServer], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = own_redis()
    library = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path, search_timeout=PATIENT))
    everywhere = ["archive", "indices", "osdu", "web"]
    deadlines = {}
    with caplog.at_level(logging.DEBUG):
        async with (
            OsduServer(None).running() as osdu,
            openai_server() as openai,
            caller(
                library,
                deadlines=deadlines,
                redis_url=server.url,
                osdu=osdu_settings(osdu.url),
                web=web_settings(openai.url, timeout=PATIENT),
            ) as call,
        ):
            osdu.answer = b'{"results": [], "totalCount": 0}'
            fine = await call(f"{CANARY} reef", sources=everywhere)
            assert all(outcome["success"] for outcome in fine["sources"])
            osdu.answer = b'{"results": [5]}'
            openai.always = Answer(status=500, body={"error": {"message": CANARY}}, echo=True)
            broken = outcomes(await call(f"{CANARY} wreck", sources=everywhere))
            assert (broken["osdu"]["success"], broken["web"]["success"]) == (False, False)
            assert CANARY not in str(broken)
            deadlines["osdu"] = 0.05
            osdu.always = Fault(hang=True)
            late = outcomes(await call(f"{CANARY} late", sources=everywhere))
            assert late["osdu"]["error_category"] == "timeout"
            failed = await call(f"{CANARY} market", sources=["web"])
            assert failed["error_category"] == "validation"
            await call.refused(query="reef", sources=[CANARY])
            await call(f"{CANARY} " * 70)
        kept = everything_in(server)
    await library.aclose()
    assert CANARY not in caplog.text
    assert CANARY.encode() not in kept
