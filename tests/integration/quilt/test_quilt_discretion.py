"""How little is asked of the catalog, and that nothing of a query stays anywhere."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
import redis

from tests.redis import RedisServer
from tests.upstreams.faults import Fault
from tests.upstreams.quilt import REFRESH_TOKEN, QuiltServer
from tests.upstreams.quilt_caller import KEY, Caller, caller, settings
from tests.upstreams.quilt_contents import ALPHA, GAMMA
from tests.upstreams.quilt_routes import BOTH, take
from tests.upstreams.search_engines import MEMORY

ENGINES = (MEMORY,)

CANARY = "canary7f3a"


async def test_nothing_is_asked_before_the_first_use(quilt: QuiltServer) -> None:
    async with caller(settings(quilt.url)) as call:
        assert call.service.is_configured
        assert quilt.requests == []


@pytest.mark.parametrize("route", BOTH)
async def test_names_from_outside_are_cleaned_and_addresses_still_work(
    quilt: QuiltServer, call: Caller, route: str
) -> None:
    take(quilt, route)
    (hit,) = (await call("evil", scope="object"))["results"]
    assert (hit["name"], hit["title"]) == ("odd/evil & <b>?#+.txt", "evil & <b>?#+.txt")
    assert "\u202e" not in json.dumps(hit, ensure_ascii=False)
    address, _, version = hit["s3_uri"].rpartition("?versionId=")
    assert version == "v9.3"
    assert not set("\u202e\u200b?# ") & set(address.removeprefix("s3://"))
    (plain, *_) = (await call("*", scope="object", bucket=GAMMA, order="oldest"))["results"]
    assert plain["s3_uri"].partition("?")[0] == f"s3://{GAMMA}/data/f0.csv"


@pytest.mark.parametrize("route", BOTH)
async def test_equal_searches_share_one_request_and_its_answer(quilt: QuiltServer, route: str) -> None:
    take(quilt, route)
    kind: Any = "graphql" if route.startswith("graphql") else "search"
    async with caller(settings(quilt.url, cache_seconds=600)) as call:
        await call("trout", scope="object", bucket=ALPHA)
        before = len(quilt.kinds(kind))
        results = await asyncio.gather(*(call("salmon", scope="object", bucket=ALPHA) for _ in range(20)))
        once = len(quilt.kinds(kind)) - before
        assert once == 1
        assert {json.dumps(each["results"]) for each in results} == {json.dumps(results[0]["results"])}
        await call("salmon", scope="object", bucket=ALPHA)
        assert len(quilt.kinds(kind)) - before == once
        await call("salmon", scope="object", bucket=ALPHA, refresh=True)
        assert len(quilt.kinds(kind)) - before > once, "refresh uses no kept answer"


@pytest.mark.parametrize("route", BOTH)
async def test_no_query_is_written_down_anywhere(
    quilt: QuiltServer, own_redis: Callable[..., RedisServer], caplog: pytest.LogCaptureFixture, route: str
) -> None:
    take(quilt, route)
    server = own_redis()
    told = []
    with caplog.at_level(logging.DEBUG):
        async with caller(settings(quilt.url, token=REFRESH_TOKEN, cache_seconds=10), server.url) as call:
            first = await call(f"salmon {CANARY}", limit=3)
            await call(f"salmon {CANARY}", limit=3, cursor=first["next_cursor"])
            told.append(await call("salmon", filters={f"meta.{CANARY}": CANARY}, scope="object"))
            for status in (400, 401, 403, 404, 503):
                for kind in ("graphql", "search"):
                    quilt.always[kind] = Fault(status, {"message": CANARY}, {"Retry-After": "0"})
                told.append(await call(f"{CANARY} {status}", refresh=True))
            quilt.always = {"graphql": Fault(hang_up=True), "search": Fault(hang_up=True)}
            told.append(await call(f"{CANARY} gone", refresh=True))
        with redis.Redis.from_url(server.url) as client:
            keys = list(client.scan_iter())
            kept = b"\n".join(keys + [client.dump(key) or b"" for key in keys])
    assert keys, "the service must have used it"
    ours = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("mcp_server"))
    assert "quilt call" in ours
    # The catalog's own log of requests is not ours.
    assert {record.name for record in caplog.records if CANARY in record.getMessage()} <= {"aiohttp.access"}
    for secret in (CANARY, REFRESH_TOKEN, "refresh-1", "access-1", KEY.decode(), quilt.url):
        assert secret.encode() not in kept
        assert secret not in ours
    assert all(each["success"] is False for each in told)
    assert CANARY not in json.dumps([each for each in told if each["error_category"] != "validation"])
