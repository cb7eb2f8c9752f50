"""A stack that changes while the service runs: one failed query, one look at the schema, and the right answer."""

import asyncio
from typing import Any

import pytest

from tests.upstreams.faults import Fault
from tests.upstreams.quilt import QuiltServer
from tests.upstreams.quilt_caller import Caller, caller, found, settings
from tests.upstreams.quilt_contents import sample_contents
from tests.upstreams.quilt_routes import ROUTES, named, take
from tests.upstreams.search_engines import MEMORY

ENGINES = (MEMORY,)

CONTENTS = sample_contents()
SALMON = named([*CONTENTS.objects_with("salmon"), *CONTENTS.packages_with("salmon")])


async def test_the_schema_is_looked_at_once_and_kept(quilt: QuiltServer, call: Caller) -> None:
    for word in ("salmon", "trout", "pike"):
        assert (await call(word))["success"]
    assert len(quilt.kinds("config")) == 1
    looked = [index for index, request in enumerate(quilt.requests) if request.kind == "introspection"]
    assert len(looked) == 1
    assert all(request.kind == "graphql" for request in quilt.requests[looked[0] + 1 :])


@pytest.mark.parametrize(("before", "after"), [(1, 3), (2, 3), (2, 1), (3, 2), (3, 1)])
async def test_an_upgrade_costs_one_query_and_one_introspection(
    quilt: QuiltServer, call: Caller, before: Any, after: Any
) -> None:
    order = "newest"
    quilt.generation = before
    assert (await call("trout", scope="package", order=order))["success"]
    quilt.requests.clear()
    quilt.generation = after
    result = await call("salmon", scope="package", order=order, limit=100)
    assert sorted(found(result)) == named(CONTENTS.packages_with("salmon"))
    assert [request.kind for request in quilt.requests] == ["graphql", "introspection", "graphql"]
    quilt.requests.clear()
    assert (await call("pike", scope="package", order=order))["success"]
    assert [request.kind for request in quilt.requests] == ["graphql"]


async def test_an_upgrade_that_changes_nothing_for_us_costs_nothing(quilt: QuiltServer, call: Caller) -> None:
    quilt.generation = 1
    await call("trout", scope="package")
    quilt.requests.clear()
    quilt.generation = 2
    assert (await call("salmon", scope="package"))["success"]
    assert [request.kind for request in quilt.requests] == ["graphql"]
    quilt.root.operation_error = "NewKindOfFailure"
    result = await call("pike", scope="package")
    assert result["success"] is False, "a failure that the schema did not have is no empty answer"
    assert result["error_category"] == "provider"


async def test_many_callers_share_one_look_at_the_new_schema(quilt: QuiltServer, call: Caller) -> None:
    quilt.generation = 2
    await call("trout", scope="package")
    quilt.requests.clear()
    quilt.generation = 3
    words = ("salmon", "pike", "perch", "catches", "river", "smith")
    results = await asyncio.gather(*(call(word, scope="package", limit=100) for word in words))
    for word, result in zip(words, results, strict=True):
        assert sorted(found(result)) == named(CONTENTS.packages_with(word))
    assert len(quilt.kinds("introspection")) == 1


async def test_with_refresh_any_change_of_the_stack_is_seen(quilt: QuiltServer, call: Caller) -> None:
    one, two, three, joined, flat = ROUTES
    for route in (one, joined, two, flat, three, joined, flat, joined, one, flat, two, joined, three, flat, one):
        take(quilt, route)
        result = await call("salmon", refresh=True, limit=100)
        assert result["backend_used"] == route.partition("-")[0]
        assert sorted(found(result)) == SALMON, route


async def test_a_search_that_is_taken_away_is_looked_for_anew(quilt: QuiltServer, call: Caller) -> None:
    take(quilt, "graphql-3")
    assert (await call("trout"))["backend_used"] == "graphql"
    take(quilt, "elasticsearch-joined")
    result = await call("salmon", limit=100)
    assert result["backend_used"] == "elasticsearch"
    assert sorted(found(result)) == SALMON
    quilt.elasticsearch = False
    gone = await call("pike")
    assert (gone["success"], gone["error_category"]) == (False, "not_applicable")
    take(quilt, "graphql-2")
    assert (await call("salmon", refresh=True))["backend_used"] == "graphql"


async def test_reading_goes_on_after_an_upgrade(quilt: QuiltServer, call: Caller) -> None:
    take(quilt, "graphql-2")
    question: dict[str, Any] = {"scope": "package", "limit": 5, "order": "name"}
    pages = [await call("*", **question)]
    take(quilt, "graphql-3")
    while pages[-1]["next_cursor"] is not None:
        pages.append(await call("*", **question, cursor=pages[-1]["next_cursor"]))
        assert pages[-1]["success"], pages[-1]
    assert sorted(found(*pages)) == named(CONTENTS.packages_with())
    assert {page["total_results"] for page in pages} == {33}


async def test_a_stack_that_does_not_describe_itself_is_searched_the_other_way(
    quilt: QuiltServer, call: Caller
) -> None:
    quilt.always["introspection"] = Fault(400, {"errors": [{"message": "GraphQL introspection is disabled"}]})
    result = await call("salmon", limit=100)
    assert result["backend_used"] == "elasticsearch"
    assert sorted(found(result)) == SALMON


async def test_a_restarted_service_looks_again(quilt: QuiltServer) -> None:
    for route in ("graphql-1", "graphql-3"):
        take(quilt, route)
        async with caller(settings(quilt.url)) as call:
            assert sorted(found(await call("salmon", limit=100))) == SALMON
    assert len(quilt.kinds("introspection")) == 2
