"""Each way to fail has its message and category, says what to do, and names another tool."""

from collections import deque
from typing import Any

import pytest

from tests.upstreams.faults import Fault
from tests.upstreams.quilt import Kind, QuiltServer
from tests.upstreams.quilt_caller import Caller, caller, settings
from tests.upstreams.quilt_contents import ALPHA, GAMMA
from tests.upstreams.quilt_routes import BOTH, ELASTICSEARCH, ROUTES, take
from tests.upstreams.search_engines import MEMORY

ENGINES = (MEMORY,)

TOOLS = {"bucket_objects_list", "search_catalog"}
SEARCH_KINDS: dict[str, Kind] = {"graphql-3": "graphql", "elasticsearch-joined": "search"}


def assert_failure(result: dict[str, Any], category: str, url: str | None) -> None:
    """Every failure is one that can be acted on."""
    assert result["success"] is False
    assert result["error_category"] == category
    assert result["error"]
    assert result["fix"]["required_action"]
    assert result["details"]["cause"]
    assert isinstance(result["details"]["authenticated"], bool)
    assert result["details"]["catalog_url"] == url
    assert set(result["alternatives"]) & TOOLS
    assert all(result["alternatives"].values())
    assert "results" not in result


QUICK: list[tuple[Fault, str, int | None]] = [
    (Fault(403, {"message": "no"}), "authorization", None),
    (Fault(429, {"message": "slow down"}, {"Retry-After": "120"}), "rate_limit", 1),
    (Fault(500, {"message": "oh"}), "provider", 1),
    (Fault(504, b"<html>late"), "timeout", 1),
    (Fault(302, b"", {"Location": "http://127.0.0.1:1/"}), "provider", 1),
    (Fault(200, b"<html>login here"), "provider", 1),
    (Fault(200, b"[1]"), "provider", 1),
    (Fault(200, {"hits": 5, "data": 5}), "provider", 1),
    (Fault(200, {"data": None, "errors": [{"message": "oh", "path": ["object"]}]}), "provider", 1),
    (Fault(200, {}), "provider", 1),
]
PATIENT: list[tuple[Fault, str, int | None]] = [
    (Fault(429, {"message": "slow down"}, {"Retry-After": "0"}), "rate_limit", 3),
    (Fault(502, b"<html>bad gateway", {"Retry-After": "0"}), "unavailable", 3),
    (Fault(503, b"<html>later", {"Retry-After": "0"}), "unavailable", 3),
    (Fault(hang_up=True), "unavailable", 3),
]


@pytest.mark.parametrize(
    ("route", "rows"), [("graphql-3", QUICK), ("graphql-3", PATIENT), ("elasticsearch-joined", QUICK)]
)
async def test_each_answer_of_the_registry_has_its_failure(
    quilt: QuiltServer, call: Caller, route: str, rows: list[tuple[Fault, str, int | None]]
) -> None:
    take(quilt, route)
    kind = SEARCH_KINDS[route]
    for fault, category, requests in rows:
        assert (await call("trout", scope="object", bucket=ALPHA))["success"], "a failure leaves nothing behind"
        before = len(quilt.kinds(kind))
        quilt.always[kind] = fault
        result = await call("trout", scope="object", bucket=ALPHA)
        assert_failure(result, category, quilt.url)
        assert requests is None or len(quilt.kinds(kind)) - before == requests, fault
        assert category != "rate_limit" or result["details"]["retry_after_s"] >= 1
        quilt.always.clear()


@pytest.mark.parametrize(
    ("answer", "category"),
    [
        ({"timed_out": True, "hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}}, "timeout"),
        ({"_shards": {"failed": 1}, "hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}}, "provider"),
        ({"hits": {"hits": []}}, "provider"),
    ],
)
async def test_a_partial_answer_is_a_failure(quilt: QuiltServer, call: Caller, answer: Any, category: str) -> None:
    take(quilt, "elasticsearch-joined")
    quilt.always["search"] = Fault(200, answer)
    assert_failure(await call("salmon", scope="object"), category, quilt.url)


@pytest.mark.parametrize("route", BOTH)
async def test_a_busy_registry_is_asked_again(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    await call("salmon", scope="object")
    quilt.faults[SEARCH_KINDS[route]] = deque([Fault(429, {}, {"Retry-After": "0"}), Fault(hang_up=True)])
    assert (await call("trout", scope="object"))["success"]


@pytest.mark.parametrize("kind", ["config", "introspection", "graphql"])
async def test_a_silent_catalog_is_a_time_out(quilt: QuiltServer, kind: Kind) -> None:
    quilt.always[kind] = Fault(hang=True)
    async with caller(settings(quilt.url, timeout=0.5)) as call:
        assert_failure(await call("salmon", scope="object"), "timeout", quilt.url)


async def test_a_catalog_that_is_not_there_is_unavailable() -> None:
    url = "http://127.0.0.1:1"
    async with caller(settings(url)) as call:
        assert_failure(await call("salmon"), "unavailable", url)


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"{}", b'{"registryUrl": 5}', b'{"registryUrl": "ftp://x"}'])
async def test_a_page_that_is_no_catalog_is_a_failure(quilt: QuiltServer, call: Caller, body: bytes) -> None:
    quilt.always["config"] = Fault(200, body)
    assert_failure(await call("salmon"), "provider", quilt.url)
    assert quilt.kinds("introspection", "graphql", "search") == []


async def test_without_settings_it_says_which_to_give() -> None:
    async with caller(settings(None, token=None)) as call:
        result = await call("salmon")
        assert not call.service.is_configured
    assert_failure(result, "not_configured", None)
    assert "TRAWL_QUILT_CATALOG_URL" in result["fix"]["required_action"]


@pytest.mark.parametrize("generation", [0, None])
async def test_a_catalog_without_search_says_so(quilt: QuiltServer, call: Caller, generation: Any) -> None:
    quilt.generation, quilt.elasticsearch = generation, False
    result = await call("salmon", bucket=ALPHA)
    assert_failure(result, "not_applicable", quilt.url)
    assert "bucket_objects_list" in result["alternatives"]
    assert (await call.info())["search"]["available"] is False


UNANSWERABLE: list[dict[str, Any]] = [
    {"filters": {"colour": "red"}},
    {"filters": {"size": "large"}},
    {"filters": {"modified": {"gte": "yesterday"}}},
    {"scope": "object", "filters": {"meta.author": "Smith"}},
    {"scope": "package", "filters": {"ext": ".csv"}},
    {"bucket": "no-such-bucket"},
    {"bucket": "alpha-*"},
    {"bucket": "_all"},
    {"bucket": f"{ALPHA},{GAMMA}"},
    {"cursor": "made up"},
]


@pytest.mark.parametrize("route", ROUTES)
async def test_a_question_that_cannot_be_answered_is_refused_not_guessed(
    quilt: QuiltServer, call: Caller, route: str
) -> None:
    take(quilt, route)
    for arguments in UNANSWERABLE:
        result = await call("salmon", **arguments)
        assert result["success"] is False, (arguments, result)
        assert_failure(result, result["error_category"], quilt.url)
        assert result["error_category"] in {"validation", "not_found", "not_applicable"}
    assert quilt.kinds("search") == []


async def test_what_an_old_index_cannot_answer_it_says(quilt: QuiltServer, call: Caller) -> None:
    take(quilt, "elasticsearch-flat")
    result = await call("*", scope="package", filters={"meta.author": "Smith"})
    assert_failure(result, "not_applicable", quilt.url)
    take(quilt, "elasticsearch-joined")
    assert (await call("*", scope="package", filters={"meta.author": "Smith"}, refresh=True))["total_results"] > 0


@pytest.mark.parametrize("route", ROUTES)
async def test_no_query_breaks_a_search(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    for query in ("data/f0.csv", '"salmon', "(salmon", "salmon AND", "a:b:c", "x]", "\\", "~", "/[", "a AND (b"):
        result = await call(query, limit=100)
        if not result["success"]:
            assert_failure(result, "validation", quilt.url)
    result = await call("data/f0.csv", limit=1_000)
    assert "data/f0.csv" in {each["name"] for each in result["results"]}


@pytest.mark.parametrize("name", ["Timeout", "SearchFailed"])
async def test_an_operation_error_is_a_failure_not_an_empty_answer(quilt: QuiltServer, call: Caller, name: str) -> None:
    quilt.root.operation_error = name
    for generation in (2, 3):
        quilt.generation = generation
        result = await call("salmon", scope="object", refresh=True)
        assert result["success"] is False
        assert_failure(result, result["error_category"], quilt.url)
        assert result["error_category"] in {"provider", "timeout", "unavailable"}


@pytest.mark.parametrize("route", ELASTICSEARCH)
async def test_denied_buckets_are_left_out_and_told(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    quilt.denied = {GAMMA}
    result = await call("salmon", limit=100)
    assert result["success"]
    assert {each["bucket"] for each in result["results"]} == {"alpha-data", "beta.lab"}
    assert result["total_results"] == len(result["results"])
    assert result["skipped_buckets"] == [GAMMA]
    asked = len(quilt.kinds("search"))
    again = await call("trout", limit=100)
    assert again["skipped_buckets"] == [GAMMA]
    assert len(quilt.kinds("search")) - asked <= 2, "what was denied is remembered"
    assert_failure(await call("salmon", bucket=GAMMA), "authorization", quilt.url)
    names = ",".join(request.body["index"] for request in quilt.kinds("search"))
    assert "*" not in names
    assert "_all" not in names.split(",")


@pytest.mark.parametrize("route", ELASTICSEARCH)
async def test_where_everything_is_denied_it_is_a_failure(quilt: QuiltServer, call: Caller, route: str) -> None:
    take(quilt, route)
    quilt.denied = {"alpha-data", "beta.lab", GAMMA}
    assert_failure(await call("salmon"), "authorization", quilt.url)


async def test_a_catalog_that_cannot_list_its_buckets_needs_their_names(quilt: QuiltServer, call: Caller) -> None:
    quilt.generation = None
    unnamed = await call("salmon")
    assert_failure(unnamed, "validation", quilt.url)
    assert "TRAWL_QUILT_BUCKETS" in unnamed["fix"]["required_action"]
    named = await call("salmon", bucket=ALPHA)
    assert (named["success"], named["backend_used"]) == (True, "elasticsearch")
    assert named["total_results"] == len(named["results"]) > 0
    async with caller(settings(quilt.url, buckets=f"{ALPHA},{GAMMA}")) as told:
        result = await told("salmon", limit=100)
    assert {each["bucket"] for each in result["results"]} == {ALPHA, GAMMA}
