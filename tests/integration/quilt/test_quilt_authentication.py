"""Who asks the registry, and that nobody searches who may not: it is told before any search goes out."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from indexer.engines.tantivy.records import SqliteRecords
from tests.upstreams.faults import Fault
from tests.upstreams.quilt import API_KEY, REFRESH_TOKEN, Kind, QuiltServer
from tests.upstreams.quilt_caller import caller, settings
from tests.upstreams.quilt_routes import BOTH, take
from tests.upstreams.search_engines import MEMORY

ENGINES = (MEMORY,)

SEARCHES: tuple[Kind, ...] = ("graphql", "search")


def written(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


def assert_unauthenticated(result: dict[str, Any], url: str) -> None:
    assert result["success"] is False
    assert (result["error"], result["error_category"]) == ("Search catalog requires authentication", "authentication")
    assert "TRAWL_QUILT_TOKEN" in result["fix"]["command"]
    assert result["fix"]["required_action"]
    assert result["details"]["cause"]
    assert (result["details"]["authenticated"], result["details"]["catalog_url"]) == (False, url)
    assert "bucket_objects_list" in result["alternatives"]


@pytest.mark.parametrize("route", BOTH)
async def test_without_a_token_nothing_is_searched(quilt: QuiltServer, route: str) -> None:
    take(quilt, route)
    async with caller(settings(quilt.url, token=None)) as call:
        assert_unauthenticated(await call("salmon"), quilt.url)
        quilt.mode, quilt.always_requires_auth = "OPEN", False
        assert_unauthenticated(await call("salmon", count_only=True, refresh=True), quilt.url)
        assert (await call.info())["authenticated"] is False
    assert quilt.kinds("introspection", *SEARCHES) == []


@pytest.mark.parametrize("status", [200, 400, 401, 403])
async def test_a_refused_refresh_token_is_told_before_any_search(quilt: QuiltServer, status: int) -> None:
    quilt.token_error_status = status
    async with caller(settings(quilt.url, token="long gone")) as call:
        assert_unauthenticated(await call("salmon"), quilt.url)
    assert quilt.kinds("introspection", *SEARCHES) == []
    assert quilt.kinds("token")


@pytest.mark.parametrize("route", BOTH)
async def test_a_revoked_key_is_told_before_any_search(quilt: QuiltServer, route: str) -> None:
    take(quilt, route)
    del quilt.bearers[API_KEY]
    async with caller(settings(quilt.url)) as call:
        assert_unauthenticated(await call("salmon"), quilt.url)
    assert quilt.kinds(*SEARCHES) == []


@pytest.mark.parametrize("route", BOTH)
async def test_a_key_that_is_revoked_between_searches_is_told(quilt: QuiltServer, route: str) -> None:
    take(quilt, route)
    async with caller(settings(quilt.url)) as call:
        assert (await call("salmon"))["success"]
        del quilt.bearers[API_KEY]
        assert_unauthenticated(await call("trout"), quilt.url)


async def test_a_key_is_the_bearer_as_it_is(quilt: QuiltServer) -> None:
    async with caller(settings(quilt.url)) as call:
        assert (await call("salmon"))["success"]
    assert quilt.kinds("token") == []
    asked = quilt.kinds("introspection", *SEARCHES)
    assert {request.headers["authorization"] for request in asked} == {f"Bearer {API_KEY}"}
    assert "authorization" not in quilt.kinds("config")[0].headers, "the catalog's page needs no token"


async def test_a_refresh_token_is_exchanged_once_for_all_callers(quilt: QuiltServer) -> None:
    async with caller(settings(quilt.url, token=REFRESH_TOKEN)) as call:
        results = await asyncio.gather(*(call(word) for word in ("salmon", "trout", "pike", "perch", "catch")))
        assert (await call("river"))["success"]
    assert all(result["success"] for result in results)
    assert [request.body for request in quilt.kinds("token")] == [{"refresh_token": REFRESH_TOKEN}]
    assert {request.headers["authorization"] for request in quilt.kinds(*SEARCHES)} == {"Bearer access-1"}


async def test_each_renewal_uses_the_token_that_the_last_one_gave(quilt: QuiltServer) -> None:
    quilt.announced_seconds = 30
    async with caller(settings(quilt.url, token=REFRESH_TOKEN)) as call:
        for _ in range(3):
            assert (await call("salmon", refresh=True))["success"]
    used = [request.body["refresh_token"] for request in quilt.kinds("token")]
    assert used[:3] == [REFRESH_TOKEN, "refresh-1", "refresh-2"], "less than a minute left is renewed"


async def test_an_access_token_that_stops_working_is_replaced_at_once(quilt: QuiltServer) -> None:
    async with caller(settings(quilt.url, token=REFRESH_TOKEN)) as call:
        assert (await call("salmon"))["success"]
        del quilt.bearers["access-1"]
        result = await call("trout")
    assert result["success"], result
    assert [request.body["refresh_token"] for request in quilt.kinds("token")] == [REFRESH_TOKEN, "refresh-1"]


async def test_a_restarted_service_goes_on_with_the_newest_token(quilt: QuiltServer, tmp_path: Path) -> None:
    quilt.announced_seconds = 30
    for _ in range(2):
        records = SqliteRecords(tmp_path / "records.db")
        async with caller(settings(quilt.url, token=REFRESH_TOKEN), records=records) as call:
            assert (await call("salmon"))["success"]
        records.close()
    used = [request.body["refresh_token"] for request in quilt.kinds("token")]
    assert used == [REFRESH_TOKEN, *(f"refresh-{number}" for number in range(1, len(used)))]
    kept = written(tmp_path)
    assert not any(secret.encode() in kept for secret in (*quilt.bearers, *quilt.refresh_tokens))


async def test_processes_share_one_token(quilt: QuiltServer, tmp_path: Path) -> None:
    records = SqliteRecords(tmp_path / "records.db")
    same = settings(quilt.url, token=REFRESH_TOKEN)
    async with caller(same, records=records) as one, caller(same, records=records) as other:
        assert (await one("salmon"))["success"]
        assert (await other("salmon"))["success"]
        del quilt.bearers["access-1"]
        assert (await other("trout"))["success"]
        assert (await one("trout"))["success"]
    records.close()
    assert [request.body["refresh_token"] for request in quilt.kinds("token")] == [REFRESH_TOKEN, "refresh-1"]


async def test_a_registry_that_issues_no_tokens_is_unavailable_not_a_wrong_token(quilt: QuiltServer) -> None:
    quilt.always["token"] = Fault(503, {"message": "later"}, {"Retry-After": "0"})
    async with caller(settings(quilt.url, token=REFRESH_TOKEN)) as call:
        result = await call("salmon")
        assert result["error_category"] == "unavailable"
        quilt.always.clear()
        assert (await call("salmon"))["success"]
    assert quilt.kinds("token")[-1].body == {"refresh_token": REFRESH_TOKEN}
