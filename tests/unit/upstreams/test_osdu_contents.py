"""What records have, what may be wrong with a search, and places in a stream of records."""

import asyncio

import pytest

from indexer.cursors import Binding, Cursors
from indexer.errors import Unavailable
from indexer.tenancy import TeamId
from indexer.text.truncate import SizeLimits
from mcp_server.features.osdu.api.records import parse_buckets, render_record
from mcp_server.features.osdu.fields import sampled_fields, unknown_fields
from mcp_server.features.osdu.hints import closest_kinds
from mcp_server.features.osdu.paging.cursor_state import CursorState, record_digest, tail_digest
from mcp_server.features.osdu.refreshing_cache import FRESH_SECONDS, RefreshingCache
from mcp_server.features.osdu.shortening import shorten_record

KNOWN = ["data.FacilityName", "data.NameAliases.AliasName", "data.Spatial.Wgs84", "createTime"]


def test_fields_are_counted_by_record_with_their_types_and_a_few_examples() -> None:
    records = [
        {"data": {"a": n, "list": [{"b": "x"}, {"b": "y"}], "when": "2020-01-01", "mixed": n or "none"}}
        for n in range(5)
    ]
    records[0]["data"]["shape"] = {"type": "Point", "coordinates": [1, 2]}
    fields = {field["path"]: field for field in sampled_fields(records)}
    assert fields["data.a"] == {"path": "data.a", "type": "number", "documents": 5, "examples": [0, 1, 2]}
    assert fields["data.list.b"] == {"path": "data.list.b", "type": "string", "documents": 5, "examples": ["x", "y"]}
    assert fields["data.when"]["type"] == "date"
    assert fields["data.mixed"]["type"] == "number/string"
    assert fields["data.shape"] == {"path": "data.shape", "type": "geometry", "documents": 1, "examples": []}


@pytest.mark.parametrize(
    "name",
    ["data.FacilityName", "data.FacilityName.keyword", "data.Spatial", "AliasName", "id", "acl.owners", "data.*", "*"],
)
def test_fields_that_exist_in_some_form_are_known(name: str) -> None:
    assert unknown_fields([name], KNOWN) == {}


def test_other_fields_come_with_the_closest() -> None:
    assert unknown_fields(["data.FacilityNam", "zzz"], KNOWN) == {
        "data.FacilityNam": ["data.FacilityName"],
        "zzz": [],
    }


def test_kinds_are_suggested_only_where_none_matches() -> None:
    known = ["osdu:wks:master-data--Well:1.0.0", "osdu:wks:master-data--Wellbore:1.1.0"]
    assert closest_kinds(["osdu:wks:master-data--Well:*"], known) == []
    assert closest_kinds(["a:b:c:d,osdu:wks:*:*"], known) == []
    assert closest_kinds(["osdu:wks:master-data--Wel:1.0.0"], known)[0] == known[0]
    assert closest_kinds(["osdu:wks:master-data--Wel:1.0.0"], []) == []


async def test_old_knowledge_is_given_at_once_and_renewed_behind() -> None:
    clock = [0.0]
    fetched: list[str] = []
    released = asyncio.Event()

    async def fetch(name: str) -> int:
        fetched.append(name)
        if len(fetched) > 1:
            await released.wait()
        return len(fetched)

    cache = RefreshingCache(fetch, lambda: clock[0])
    assert [await cache.get("a"), await cache.get("a")] == [1, 1]
    clock[0] += FRESH_SECONDS + 1
    assert [await cache.get("a"), await cache.get("a")] == [1, 1]
    released.set()
    await asyncio.gather(*cache._refreshes.values())
    assert await cache.get("a") == 2
    assert fetched == ["a", "a"]
    await cache.aclose()


async def test_what_cannot_be_fetched_is_unknown_and_what_was_known_stays() -> None:
    clock = [0.0]
    fails = False

    async def fetch(_: str) -> int:
        if fails:
            raise Unavailable("no", action="wait")
        return 1

    cache = RefreshingCache(fetch, lambda: clock[0])
    await cache.get("a")
    fails = True
    assert await cache.get("b") is None
    clock[0] += FRESH_SECONDS + 1
    assert await cache.get("a") == 1
    await asyncio.gather(*cache._refreshes.values())
    assert await cache.get("a") == 1
    await cache.aclose()


async def test_an_empty_value_is_not_kept() -> None:
    values = [[], ["osdu:wks:a:1.0.0"]]

    async def fetch(_: str) -> list[str]:
        return values.pop(0)

    cache = RefreshingCache(fetch)
    assert [await cache.get(""), await cache.get("")] == [None, ["osdu:wks:a:1.0.0"]]
    assert await cache.get("") == ["osdu:wks:a:1.0.0"]


async def test_closing_stops_what_is_being_renewed() -> None:
    clock = [0.0]
    begun = asyncio.Event()

    async def fetch(_: str) -> int:
        if begun.is_set():
            await asyncio.Event().wait()
        begun.set()
        return 1

    cache = RefreshingCache(fetch, lambda: clock[0])
    await cache.get("a")
    clock[0] += FRESH_SECONDS + 1
    await cache.get("a")
    await asyncio.wait_for(cache.aclose(), 60)


def test_a_place_survives_its_cursor() -> None:
    hidden = frozenset(record_digest({"id": str(number)}) for number in range(1_000))
    place = CursorState(25_000, 17, hidden, tail_digest([{"id": "a"}]), "s1", "CURSOR", 1_000, 500)
    cursors, bound = Cursors(b"key"), Binding(TeamId("main"), "b")
    for state in (place, CursorState(5, 0)):
        assert cursors.read(cursors.write(state, bound), bound, CursorState) == state


def test_records_are_told_apart_by_id_or_else_by_all_they_hold() -> None:
    assert record_digest({"id": "a", "x": 1}) == record_digest({"id": "a"})
    assert record_digest({"id": "a"}) != record_digest({"id": "b"})
    assert record_digest({"x": 1}) != record_digest({"x": 2})
    assert tail_digest([{"id": "a"}, {"id": "b"}]) != tail_digest([{"id": "b"}, {"id": "a"}])


def test_records_are_cleaned_and_odd_shapes_harm_nothing() -> None:
    record = render_record({"id": "a", "data": "text", "version": "x", "highlight": {"f": "<em>a</em> & <i>"}}, None)
    assert record == {
        "id": "a",
        "kind": None,
        "data": {},
        "createTime": None,
        "highlight": {"f": ["<mark>a</mark> &amp; &lt;i&gt;"]},
    }
    assert parse_buckets([{"key": "a", "count": 1}, {"key": "b"}, 5]) == [{"key": "a", "count": 1}]
    assert parse_buckets(None) == []


def test_a_record_is_shortened_with_its_id_whole() -> None:
    raw = {
        "id": "x" * 50,
        "version": 1,
        "data": {"a": "y" * 50},
        "highlight": {"f": ["z" * 50]},
        "acl": {"o": "p" * 50},
    }
    short = shorten_record(render_record(raw, ["acl"]), SizeLimits(10, 5, 1))
    assert short["id"] == "x" * 50
    assert len(short["data"]["a"]) == 10
    assert len(short["highlight"]["f"][0]) == 11
    assert len(short["more"]["acl"]["o"]) == 10
