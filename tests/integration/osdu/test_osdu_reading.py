"""Reading on by cursor: every record once, at any depth, whatever becomes of the service's cursors."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from app.sandbox.engine.port import SearchEngine
from app.sandbox.osdu.records import index_of
from app.sandbox.osdu.server import MOST_CURSORS, Cursor
from indexer.tenancy import Principal, TeamId
from mcp_server.features.osdu.arguments import SearchByKind
from mcp_server.features.osdu.upstream import OSDU
from tests.made_services import MAIN
from tests.redis import RedisServer
from tests.upstreams.osdu import TOKEN, OsduServer, User, osdu_server
from tests.upstreams.osdu_caller import Caller, caller, settings
from tests.upstreams.osdu_records import WELLBORE, record
from tests.upstreams.search_engines import OPENSEARCH, engine_with

DEEP = 25_000
KIND = "osdu:wks:work-product-component--Marker:1.0.0"
CHARS = 1_000_000


@pytest.fixture(scope="module")
def deep_engine(request: pytest.FixtureRequest) -> Iterator[SearchEngine]:
    """More records than the engine in memory is made for."""
    records = (record(f"opendes:marker:{number:05}", KIND, {"Number": number}) for number in range(DEEP))
    with engine_with(OPENSEARCH, request, [index_of(records)]) as engine:
        yield engine


@pytest.fixture
async def deep(deep_engine: SearchEngine) -> AsyncIterator[OsduServer]:
    async with osdu_server(deep_engine) as server:
        yield server


async def read_all(
    call: Callable[[int], Caller], after_page: Callable[[int], None] = lambda _: None, **arguments: Any
) -> list[str]:
    """Read to the end; `call` chooses who asks for which page."""
    seen: list[str] = []
    cursor: str | None = None
    page = 0
    while page == 0 or cursor is not None:
        more = {} if cursor is None else {"cursor": cursor}
        result = await call(page)("search_by_kind", max_chars=CHARS, **arguments, **more)
        assert result["success"], result
        seen += [each["id"] for each in result["results"]]
        cursor = result["next_cursor"]
        after_page(page)
        page += 1
    return seen


async def test_25000_records_come_once_each_although_cursors_expire_in_the_middle(deep: OsduServer) -> None:
    def expire(page: int) -> None:
        if page in {3, 11, 20}:
            deep.skipped_seconds += 61

    async with caller(settings(deep.url)) as call:
        seen = await read_all(lambda _: call, expire, kind=KIND, limit=1_000)
    assert len(seen) == DEEP
    assert len(set(seen)) == DEEP
    bodies = deep.bodies("query_with_cursor")
    assert all("offset" not in body and "aggregateBy" not in body for body in bodies)
    assert all(body["kind"] == KIND and body["trackTotalCount"] is True for body in bodies)
    assert sum("cursor" not in body for body in bodies) == 4, "one opening, and one more for each expiry"
    assert len(deep.bodies("query")) == 1


async def test_total_count_stays_what_the_first_page_said(deep: OsduServer) -> None:
    async with caller(settings(deep.url)) as call:
        first = await call("search_query", query="data.Number:[0 TO 12344]", limit=10)
        second = await call("search_query", query="data.Number:[0 TO 12344]", limit=10, cursor=first["next_cursor"])
    assert first["totalCount"] == second["totalCount"] == 12_345


async def test_without_counting_all_is_read_too(deep: OsduServer) -> None:
    async with caller(settings(deep.url)) as call:
        seen: list[str] = []
        cursor = None
        while len(seen) == 0 or cursor is not None:
            more = {} if cursor is None else {"cursor": cursor}
            arguments = {"query": "data.Number:[0 TO 10999]", "limit": 1_000, "track_total_count": False}
            result = await call("search_query", max_chars=CHARS, **arguments, **more)
            assert result["totalCount"] == 10_000
            seen += [each["id"] for each in result["results"]]
            cursor = result["next_cursor"]
    assert len(seen) == len(set(seen)) == 11_000


async def test_small_pages_after_an_offset_go_on_in_order(call: Caller) -> None:
    arguments: dict[str, Any] = {"kind": WELLBORE, "limit": 2, "offset": 3, "sort": {"field": ["id"]}}
    seen = await read_all(lambda _: call, **arguments)
    everything = await call("search_by_kind", kind=WELLBORE, sort={"field": ["id"]}, max_chars=CHARS)
    assert seen == [each["id"] for each in everything["results"]][3:]


async def test_expiry_after_every_page_costs_openings_but_no_record(call: Caller, osdu: OsduServer) -> None:
    def expire(_: int) -> None:
        osdu.skipped_seconds += 61

    seen = await read_all(lambda _: call, expire, kind=WELLBORE, limit=2)
    assert len(seen) == len(set(seen)) == 12


async def test_a_repeated_cursor_gives_the_same_page_again(call: Caller) -> None:
    first = await call("search_by_kind", kind=WELLBORE, limit=3)
    second = await call("search_by_kind", kind=WELLBORE, limit=3, cursor=first["next_cursor"])
    third = await call("search_by_kind", kind=WELLBORE, limit=3, cursor=second["next_cursor"])
    assert (
        third["results"]
        == (await call("search_by_kind", kind=WELLBORE, limit=3, cursor=second["next_cursor"]))["results"]
    )
    again = await call("search_by_kind", kind=WELLBORE, limit=3, cursor=first["next_cursor"])
    assert again["results"] == second["results"]


async def test_a_cursor_of_another_user_upstream_is_opened_anew(call: Caller, osdu: OsduServer) -> None:
    def other_user(page: int) -> None:
        osdu.users[TOKEN] = User(email=f"user-{page}@example.com")

    seen = await read_all(lambda _: call, other_user, kind=WELLBORE, limit=5)
    assert len(seen) == len(set(seen)) == 12


async def test_processes_that_share_redis_read_on_for_each_other(osdu: OsduServer, redis_url: str) -> None:
    async with AsyncExitStack() as stack:
        pair = [await stack.enter_async_context(caller(settings(osdu.url), redis_url)) for _ in range(2)]
        seen = await read_all(lambda page: pair[page % 2], kind=WELLBORE, limit=3)
        assert len(seen) == len(set(seen)) == 12
        assert sum("cursor" not in body for body in osdu.bodies("query_with_cursor")) == 1
        first = await pair[0]("search_by_kind", kind=WELLBORE, limit=3)
        second = [await one("search_by_kind", kind=WELLBORE, limit=3, cursor=first["next_cursor"]) for one in pair]
        third = [
            await one("search_by_kind", kind=WELLBORE, limit=3, cursor=second[0]["next_cursor"])
            for one in (pair[1], pair[0], pair[1])
        ]
    assert second[0]["results"] == second[1]["results"]
    assert third[0]["results"] == third[1]["results"] == third[2]["results"]


async def test_processes_without_redis_and_a_redis_that_dies_read_on_rightly(
    osdu: OsduServer, own_redis: Callable[..., RedisServer]
) -> None:
    server = own_redis()

    def kill(page: int) -> None:
        if page == 2:
            server.kill()

    async with AsyncExitStack() as stack:
        alone = [await stack.enter_async_context(caller(settings(osdu.url))) for _ in range(2)]
        seen = await read_all(lambda page: alone[page % 2], kind=WELLBORE, limit=3)
        assert len(seen) == len(set(seen)) == 12
        pair = [await stack.enter_async_context(caller(settings(osdu.url), server.url)) for _ in range(2)]
        seen = await read_all(lambda page: pair[page % 2], kill, kind=WELLBORE, limit=3)
    assert len(seen) == len(set(seen)) == 12


async def test_a_cursor_is_bound_to_its_search_and_its_caller(call: Caller) -> None:
    osdu = call.upstreams.of(MAIN.team)[OSDU]
    alice, bob = Principal(TeamId("a"), "alice"), Principal(TeamId("a"), "bob")
    first = await osdu.search_by_kind(alice, SearchByKind(kind=WELLBORE, limit=3))
    arguments = SearchByKind(kind=WELLBORE, limit=3, cursor=first["next_cursor"])
    assert len((await osdu.search_by_kind(alice, arguments))["results"]) == 3
    other = SearchByKind(kind="*:*:*:*", limit=3, cursor=first["next_cursor"])
    for principal, asked in ((bob, arguments), (alice, other)):
        with pytest.raises(Exception, match="belongs to another search"):
            await osdu.search_by_kind(principal, asked)
    with pytest.raises(Exception, match="is not valid"):
        await osdu.search_by_kind(Principal(TeamId("b"), "alice"), arguments)
    broken = await call("search_query", query="*", cursor="abc")
    assert broken["error"] == "This cursor is not valid"


async def test_too_many_cursors_upstream_is_a_rate_limit(call: Caller, osdu: OsduServer) -> None:
    first = await call("search_by_kind", kind=WELLBORE, limit=3)
    for number in range(MOST_CURSORS):
        osdu.cursors[f"other-{number}"] = Cursor("somebody", {}, [], osdu.now() + 600)
    result = await call("search_by_kind", kind=WELLBORE, limit=3, cursor=first["next_cursor"])
    assert (result["error"], result["error_category"]) == ("Search service is busy", "rate_limit")
    osdu.cursors.clear()
    assert (await call("search_by_kind", kind=WELLBORE, limit=3, cursor=first["next_cursor"]))["success"]


async def test_changed_results_are_told_not_guessed(
    call: Caller, osdu: OsduServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await call("search_by_kind", kind=WELLBORE, limit=3, sort={"field": ["id"]})
    sort = {"field": ["id"]}
    second = await call("search_by_kind", kind=WELLBORE, limit=3, sort=sort, cursor=first["next_cursor"])
    osdu.skipped_seconds += 61
    search = osdu.engine.search

    async def turned(indices: list[str], body: dict[str, Any]) -> dict[str, Any]:
        return await search(indices, {**body, "sort": [{"id": "desc"}]})

    monkeypatch.setattr(osdu.engine, "search", turned)
    result = await call("search_by_kind", kind=WELLBORE, limit=3, sort=sort, cursor=second["next_cursor"])
    assert result["error"] == "The results have changed since the page before"
    assert "Search again" in result["fix"]["required_action"]
