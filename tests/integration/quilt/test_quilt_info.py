"""What is known of the catalog: its buckets, and a status that is that of its last answer."""

from typing import Any

import pytest

from tests.upstreams.faults import Fault
from tests.upstreams.quilt import API_KEY, REFRESH_TOKEN, QuiltServer
from tests.upstreams.quilt_caller import Caller, caller, settings
from tests.upstreams.quilt_contents import ALPHA, BETA, GAMMA
from tests.upstreams.quilt_routes import BOTH, ELASTICSEARCH, take
from tests.upstreams.search_engines import MEMORY

ENGINES = (MEMORY,)


async def state(call: Caller) -> str:
    """Return the status that `catalog://info` tells."""
    return str((await call.info())["search"]["status"])


def told(result: dict[str, Any]) -> str:
    """Return the status that a search or its failure tells."""
    status = result["backend_status"] if result["success"] else result["details"]["backend_status"]
    return str(status["status"])


@pytest.mark.parametrize("route", BOTH)
async def test_the_catalog_tells_how_it_searches(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    result = await call("salmon")
    info = await call.info()
    backend = route.partition("-")[0]
    assert (info["catalog_url"], info["registry_url"]) == (quilt.url, quilt.url + quilt.registry_path)
    assert info["authenticated"] is True
    assert info["search"] == result["backend_status"]
    assert {name: info["search"][name] for name in ("available", "backend", "status")} == {
        "available": True,
        "backend": backend,
        "status": "ready",
    }
    assert {"metadata_search", "content_search"} <= set(info["search"]["capabilities"])


@pytest.mark.parametrize("token", [API_KEY, REFRESH_TOKEN])
async def test_information_is_truthful_without_a_search(quilt: QuiltServer, token: str) -> None:
    async with caller(settings(quilt.url, token=token)) as call:
        info = await call.info()
    assert (info["search"]["status"], info["authenticated"]) == ("ready", True)
    assert not any("searchObjects" in request.body["query"] for request in quilt.kinds("graphql"))
    assert quilt.kinds("search") == []


async def test_information_never_fails(quilt: QuiltServer) -> None:
    quilt.always["config"] = Fault(500, b"oh")
    async with caller(settings(quilt.url)) as call:
        await call("salmon")
        info = await call.info()
    assert (info["catalog_url"], info["search"]["available"]) == (quilt.url, False)
    async with caller(settings(None, token=None)) as call:
        info = await call.info()
    assert (info["catalog_url"], info["registry_url"], info["authenticated"]) == (None, None, False)
    assert (info["search"]["available"], info["search"]["status"]) == (False, "not_configured")


@pytest.mark.parametrize("route", BOTH)
async def test_the_buckets_that_can_be_searched_are_listed(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    info = await call.info()
    assert (info["buckets"], info["bucket_count"]) == ([ALPHA, BETA, GAMMA], 3)
    quilt.buckets = [ALPHA, GAMMA]
    await call("salmon", refresh=True)
    assert (await call.info())["buckets"] == [ALPHA, GAMMA]


@pytest.mark.parametrize("route", ELASTICSEARCH)
async def test_buckets_that_the_registry_denies_are_left_out(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    quilt.denied = {BETA}
    info = await call.info()
    assert (info["buckets"], info["bucket_count"], info["search"]["status"]) == ([ALPHA, GAMMA], 2, "ready")
    before = len(quilt.kinds("search"))
    assert (await call.info())["buckets"] == [ALPHA, GAMMA]
    assert len(quilt.kinds("search")) == before + 1, "what was denied is remembered"
    quilt.denied = {ALPHA, BETA, GAMMA}
    info = await call.info()
    assert (info["buckets"], info["bucket_count"], info["search"]["status"]) == ([], 0, "ready")


async def test_a_long_list_of_buckets_is_cut_and_counted(quilt: QuiltServer, call: Caller) -> None:
    quilt.buckets = [f"bucket-{number:03}" for number in range(250)]
    info = await call.info()
    assert info["buckets"] == quilt.buckets[:100]
    assert info["bucket_count"] == 250


async def test_where_the_catalog_cannot_list_buckets_none_are_made_up(quilt: QuiltServer, call: Caller) -> None:
    quilt.generation = None
    info = await call.info()
    assert (info["buckets"], info["bucket_count"], info["search"]["status"]) == ([], None, "ready")
    async with caller(settings(quilt.url, buckets=f"{GAMMA},{ALPHA}")) as named:
        assert (await named.info())["buckets"] == [ALPHA, GAMMA]


@pytest.mark.parametrize("route", BOTH)
async def test_a_refused_token_shows_until_the_catalog_accepts_it_again(
    quilt: QuiltServer, call: Caller, route: str
) -> None:
    take(quilt, route)
    assert told(await call("salmon")) == await state(call) == "ready"
    del quilt.bearers[API_KEY]
    assert told(await call("trout")) == "authentication_required"
    info = await call.info()
    assert (info["search"]["status"], info["search"]["available"]) == ("authentication_required", False)
    assert (info["authenticated"], info["buckets"], info["bucket_count"]) == (False, [], None)
    quilt.bearers[API_KEY] = float("inf")
    assert (await state(call), told(await call("trout"))) == ("ready", "ready")


@pytest.mark.parametrize("route", BOTH)
async def test_a_token_that_was_refused_since_the_last_search_shows(
    quilt: QuiltServer, call: Caller, route: str
) -> None:
    take(quilt, route)
    assert (await call("salmon"))["success"]
    del quilt.bearers[API_KEY]
    assert await state(call) == "authentication_required"


@pytest.mark.parametrize("route", BOTH)
async def test_an_answer_from_the_cache_hides_no_refusal(quilt: QuiltServer, route: str) -> None:
    take(quilt, route)
    async with caller(settings(quilt.url, cache_seconds=600)) as call:
        assert told(await call("salmon")) == "ready"
        del quilt.bearers[API_KEY]
        assert told(await call("trout")) == "authentication_required"
        kept = await call("salmon")
        assert (kept["success"], told(kept)) == (True, "authentication_required")


async def test_any_answer_of_the_catalog_shows_that_it_works_again(quilt: QuiltServer, call: Caller) -> None:
    take(quilt, "elasticsearch-joined")
    assert (await call("salmon"))["success"]
    del quilt.bearers[API_KEY]
    assert told(await call("salmon")) == "authentication_required"
    assert told(await call("salmon", filters={"colour": "red"})) == "authentication_required", "nothing was asked"
    quilt.bearers[API_KEY] = float("inf")
    quilt.denied = {GAMMA}
    denied = await call("salmon", bucket=GAMMA)
    assert (denied["error_category"], told(denied)) == ("authorization", "ready")


@pytest.mark.parametrize("route", BOTH)
@pytest.mark.parametrize(
    "fault",
    [Fault(503, {"message": "later"}, {"Retry-After": "0"}), Fault(500, {"message": "oh"}), Fault(hang_up=True)],
    ids=["503", "500", "hangs up"],
)
async def test_a_catalog_that_fails_is_unavailable_until_it_answers(
    quilt: QuiltServer, call: Caller, route: str, fault: Fault
) -> None:
    take(quilt, route)
    assert (await call("salmon"))["success"]
    quilt.always = {"graphql": fault, "search": fault}
    assert told(await call("trout")) == "unavailable"
    quilt.always.clear()
    assert await state(call) == "ready"
    quilt.always = {"graphql": fault, "search": fault}
    assert await state(call) == "unavailable"


async def test_a_failure_inside_an_answer_is_one_too(quilt: QuiltServer, call: Caller) -> None:
    quilt.root.operation_error = "SearchFailed"
    assert told(await call("salmon", scope="object")) == "unavailable"
    quilt.root.operation_error = None
    assert told(await call("salmon", scope="object")) == "ready"


async def test_information_follows_a_stack_that_changed(quilt: QuiltServer, call: Caller) -> None:
    assert (await call.info())["search"]["backend"] == "graphql"
    quilt.generation = None
    assert (await call.info())["search"]["backend"] == "elasticsearch"
    quilt.elasticsearch = False
    assert await state(call) == "no_search"
    quilt.generation = 3
    assert (await call.info())["search"]["backend"] == "graphql"


async def test_a_missing_token_is_known_without_asking(quilt: QuiltServer) -> None:
    async with caller(settings(quilt.url, token=None)) as call:
        assert call.service.status["status"] == await state(call) == "authentication_required"
    assert quilt.requests == []
