"""Totals and cursors: every hit once, to the end, on every route; counting without hits."""

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from app.sandbox.quilt.indices import indices_of
from indexer.tenancy import Principal, TeamId
from mcp_server.features.quilt.elasticsearch import search as elasticsearch
from tests.upstreams.faults import Fault
from tests.upstreams.quilt import Catalogue, QuiltServer, quilt_server
from tests.upstreams.quilt_caller import Caller, caller, found, settings
from tests.upstreams.quilt_contents import ALPHA, EPOCH, QuiltContents, QuiltObject, sample_contents
from tests.upstreams.quilt_routes import BOTH, ELASTICSEARCH, ROUTES, named, take
from tests.upstreams.search_engines import OPENSEARCH, engine_with

CONTENTS = sample_contents()
EVERYTHING = named([*CONTENTS.objects_with(), *CONTENTS.packages_with()])
DEEP = 10_150


@pytest.fixture(scope="module")
def deep_catalogue(request: pytest.FixtureRequest) -> Iterator[Catalogue]:
    """A bucket with more objects than Elasticsearch gives by offset, and than the engine in memory is made for."""
    objects = tuple(
        QuiltObject("deep", f"k{number:05}.txt", "v", number, EPOCH + timedelta(seconds=number // 3))
        for number in range(DEEP)
    )
    contents = QuiltContents(("deep",), objects)
    with engine_with(OPENSEARCH, request, indices_of(contents)) as engine:
        yield Catalogue(engine, contents)


@pytest.fixture
async def deep(deep_catalogue: Catalogue) -> AsyncIterator[QuiltServer]:
    async with quilt_server(deep_catalogue) as server:
        yield server


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(("order", "limit"), [("best", 7), ("newest", 20), ("name", 11)])
async def test_every_hit_comes_once(quilt: QuiltServer, call: Caller, route: str, order: str, limit: int) -> None:
    take(quilt, route)
    pages = await call.read("*", order=order, limit=limit)
    hits = found(*pages)
    assert sorted(hits) == EVERYTHING
    assert {page["total_results"] for page in pages} == {len(hits)}
    assert all(len(page["results"]) == limit for page in pages[:-1])
    names = [name for *_, name in hits]
    assert order != "name" or names == sorted(names)


@pytest.mark.parametrize("route", BOTH)
async def test_the_end_is_found_however_the_registry_marks_it(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    for quilt.root.tail_cursor, limit in product((True, False), (11, 33, 34)):
        pages = await call.read("*", scope="package", limit=limit)
        assert sorted(found(*pages)) == named(CONTENTS.packages_with())


@pytest.mark.parametrize("route", ROUTES)
async def test_counting_gives_the_total_without_results(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    for scope, word in product(("object", "package", "all"), ("salmon", "*", "nothingofthekind")):
        words = () if word == "*" else (word,)
        expected = len(CONTENTS.objects_with(*words)) if scope != "package" else 0
        expected += len(CONTENTS.packages_with(*words)) if scope != "object" else 0
        result = await call(word, scope=scope, count_only=True)
        assert result["success"], result
        assert (result["results"], result["total_results"], result["next_cursor"]) == ([], expected, None)
    assert not any("firstPage" in request.body["query"] for request in quilt.kinds("graphql"))


async def test_a_count_that_stops_somewhere_says_so(quilt: QuiltServer, call: Caller) -> None:
    take(quilt, ELASTICSEARCH[0])
    answer = {"hits": {"total": {"value": 10_000, "relation": "gte"}, "hits": []}}
    quilt.always["search"] = Fault(200, answer)
    result = await call("salmon", scope="object")
    assert (result["total_results"], result["total_is_at_least"]) == (10_000, True)
    quilt.always.clear()
    assert "total_is_at_least" not in await call("salmon", scope="object")


@pytest.mark.parametrize("empty_set", [True, False])
async def test_nothing_found_is_an_answer(quilt: QuiltServer, call: Caller, empty_set: bool) -> None:
    quilt.root.empty_set = empty_set
    for generation in (1, 2, 3):
        quilt.generation = generation
        result = await call("nothingofthekind", refresh=True)
        assert (result["success"], result["results"], result["total_results"]) == (True, [], 0)
        assert result["next_cursor"] is None


@pytest.mark.parametrize("route", BOTH)
async def test_more_than_a_page_of_the_registry_fits_into_one_of_ours(deep: QuiltServer, route: str) -> None:
    take(deep, route)
    async with caller(settings(deep.url)) as call:
        result = await call("*", scope="object", order="name", limit=1_000)
        more = await call("*", scope="object", order="name", limit=1_000, cursor=result["next_cursor"])
    names = [name for *_, name in found(result, more)]
    assert names == [f"k{number:05}.txt" for number in range(2_000)]
    assert result["total_results"] == more["total_results"] == DEEP


async def test_reading_goes_on_past_10_000(deep: QuiltServer) -> None:
    take(deep, ELASTICSEARCH[0])
    async with caller(settings(deep.url)) as call:
        pages = await call.read("*", scope="object", order="newest", limit=1_000)
    names = [name for *_, name in found(*pages)]
    assert len(names) == len(set(names)) == DEEP
    assert {page["total_results"] for page in pages} == {DEEP}
    assert sum("search_after" in request.body["body"] for request in deep.kinds("search")) == 1


@pytest.mark.parametrize("route", ELASTICSEARCH)
async def test_places_in_the_order_lead_on_for_every_order(
    quilt: QuiltServer, call: Caller, route: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elasticsearch, "_MAX_RESULT_WINDOW", 10)
    take(quilt, route)
    for order in ("best", "newest", "oldest", "name"):
        pages = await call.read("*", order=order, limit=7)
        assert sorted(found(*pages)) == EVERYTHING, order
        assert {page["total_results"] for page in pages} == {len(EVERYTHING)}


@pytest.mark.parametrize("route", BOTH)
async def test_max_chars_bounds_a_page_and_the_cursor_goes_on_where_it_stopped(
    quilt: QuiltServer, call: Caller, route: str
) -> None:
    take(quilt, route)
    pages = await call.read("salmon", max_chars=2_000, order="oldest")
    assert sorted(found(*pages)) == named([*CONTENTS.objects_with("salmon"), *CONTENTS.packages_with("salmon")])
    assert any(page["truncated"] for page in pages)
    assert len(pages) > 2
    times = [each["modified"] for page in pages for each in page["results"]]
    assert times == sorted(times)


@pytest.mark.parametrize("route", BOTH)
async def test_a_repeated_cursor_gives_the_same_page_again(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    first = await call("*", limit=9)
    second = await call("*", limit=9, cursor=first["next_cursor"])
    await call("*", limit=9, cursor=second["next_cursor"])
    assert found(await call("*", limit=9, cursor=first["next_cursor"])) == found(second)


async def test_a_cursor_that_the_registry_forgot_is_told(quilt: QuiltServer, call: Caller) -> None:
    first = await call("*", scope="package", limit=5, order="name")
    quilt.root.cursors.clear()
    result = await call("*", scope="package", limit=5, order="name", cursor=first["next_cursor"])
    assert (result["success"], result["error_category"]) == (False, "validation")
    assert "earch again" in result["fix"]["required_action"]


@pytest.mark.parametrize("route", BOTH)
async def test_a_cursor_belongs_to_its_search_and_its_team(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    cursor = (await call("*", limit=9))["next_cursor"]
    others: list[dict[str, Any]] = [
        {"query": "salmon"},
        {"query": "*", "scope": "object"},
        {"query": "*", "bucket": ALPHA},
        {"query": "*", "order": "name"},
        {"query": "*", "filters": {"size": 5}},
        {"query": "*", "who": Principal(TeamId("b"), "alice")},
    ]
    for other in others:
        result = await call(**other, limit=9, cursor=cursor)
        assert (result["success"], result["error_category"]) == (False, "validation"), other
        assert "earch again" in result["fix"]["required_action"]
