"""The catalog that the tests speak to is strict: it refuses what a real one refuses."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from app.sandbox.quilt.schema import Generation
from app.sandbox.quilt.server import REINDEXED
from tests.upstreams.quilt import API_KEY, REFRESH_TOKEN, QuiltServer
from tests.upstreams.quilt_contents import ALPHA, BETA, GAMMA, sample_contents

BEARER = {"Authorization": f"Bearer {API_KEY}"}
PACKAGE_PAGE = "... on PackagesSearchResultSetPage { cursor hits { name pointer modified } }"
PACKAGES = "{ searchPackages(searchString: %s) { __typename ... on PackagesSearchResultSet { total %s } } }"
MATCH_ALL: dict[str, Any] = {"query": {"match_all": {}}}


@pytest.fixture
async def client(quilt: QuiltServer) -> AsyncIterator[httpx.AsyncClient]:
    url = quilt.url + quilt.registry_path
    async with httpx.AsyncClient(base_url=url, headers=BEARER, trust_env=False, timeout=60) as made:
        yield made


async def ask(client: httpx.AsyncClient, query: str, **variables: Any) -> tuple[int, dict[str, Any]]:
    reply = await client.post("/graphql", json={"query": query, "variables": variables})
    return reply.status_code, reply.json()


async def freeform(client: httpx.AsyncClient, index: str, body: Any, **more: Any) -> httpx.Response:
    parameters = {"index": index, "action": "freeform", "body": json.dumps(body), **more}
    return await client.get("/api/search", params=parameters)


@pytest.mark.parametrize(
    ("generation", "query", "status"),
    [
        (1, "{ searchObjects { ... on OperationError { name } } }", 400),
        (2, "{ searchObjects { ... on OperationError { name } } }", 200),
        (3, "{ searchObjects { ... on OperationError { name } } }", 200),
        (2, PACKAGES % ("null", "firstPage(size: 5, order: NEWEST) { cursor }"), 200),
        (3, PACKAGES % ("null", "firstPage(size: 5, order: NEWEST) { cursor }"), 400),
        (3, PACKAGES % ("null", f'firstPage(ordering: "sys:modified:desc") {{ {PACKAGE_PAGE} }}'), 200),
        (2, PACKAGES % ("null", 'firstPage(ordering: "sys:modified:desc") { cursor }'), 400),
        (3, PACKAGES % ("null", "firstPage { cursor }"), 400),
        (0, "{ searchObjects { __typename } }", 400),
        (0, "{ bucketConfigs { name } }", 200),
        (2, "{ searchObjects(size: 5) { __typename } }", 400),
        (2, "{ searchObjects(filter: {meta: 5}) { __typename } }", 400),
        (2, '{ searchObjects(filter: {modified: {gte: "yesterday"}}) { __typename } }', 400),
        (2, "{ searchObjects { total } }", 400),
        (2, "{ nothing", 400),
        (None, "{ bucketConfigs { name } }", 404),
    ],
)
async def test_each_generation_has_its_own_grammar(
    quilt: QuiltServer, client: httpx.AsyncClient, generation: Generation | None, query: str, status: int
) -> None:
    quilt.generation = generation
    seen, answer = await ask(client, query)
    assert seen == status, answer
    assert ("errors" in answer) == (status == 400)


async def test_an_ordering_is_a_scalar_of_its_own(client: httpx.AsyncClient) -> None:
    page = f"firstPage(ordering: $by) {{ __typename {PACKAGE_PAGE} }}"
    for kind, status in (("String", 400), ("PackageOrdering", 200)):
        query = f"query($by: {kind}) " + PACKAGES % ("null", page)
        assert (await ask(client, query, by="sys:name:asc"))[0] == status
    _, answer = await ask(client, "query($by: PackageOrdering) " + PACKAGES % ("null", page), by="sys:name:up")
    assert answer["data"]["searchPackages"]["firstPage"]["__typename"] == "InvalidInput"


async def test_introspection_tells_the_generations_apart(quilt: QuiltServer, client: httpx.AsyncClient) -> None:
    query = '{ __type(name: "PackagesSearchResult") { possibleTypes { name } } }'
    for generation in (1, 2, 3):
        quilt.generation = generation
        _, answer = await ask(client, query)
        names = {each["name"] for each in answer["data"]["__type"]["possibleTypes"]}
        assert ("OperationError" in names) == (generation > 1)
    assert {request.kind for request in quilt.requests} == {"introspection"}


async def test_pages_are_small_and_cursors_lead_to_the_end(client: httpx.AsyncClient) -> None:
    page = "{ cursor hits { key } }"
    first = f"{{ searchObjects {{ ... on ObjectsSearchResultSet {{ total firstPage(size: %d) {page} }} }} }}"
    assert (await ask(client, first % 101))[0] == 500
    _, answer = await ask(client, first % 40)
    found = answer["data"]["searchObjects"]
    seen = [hit["key"] for hit in found["firstPage"]["hits"]]
    cursor = found["firstPage"]["cursor"]
    while cursor is not None:
        more = f'{{ searchMoreObjects(after: "{cursor}", size: 40) {{ ... on ObjectsSearchResultSetPage {page} }} }}'
        _, answer = await ask(client, more)
        seen += [hit["key"] for hit in answer["data"]["searchMoreObjects"]["hits"]]
        cursor = answer["data"]["searchMoreObjects"]["cursor"]
    assert len(seen) == found["total"] == 69
    _, answer = await ask(client, '{ searchMoreObjects(after: "lost") { __typename } }')
    assert answer["data"]["searchMoreObjects"] == {"__typename": "InvalidInput"}


@pytest.mark.parametrize("text", ["data/f0.csv", '"salmon', "(salmon", "salmon AND"])
async def test_a_search_string_has_a_grammar(client: httpx.AsyncClient, text: str) -> None:
    _, answer = await ask(client, PACKAGES % (json.dumps(text), ""))
    assert answer["data"]["searchPackages"]["__typename"] == "InvalidInput"


@pytest.mark.parametrize(
    ("index", "status"),
    [
        (ALPHA, 200),
        (f"{ALPHA},{ALPHA}_packages,{BETA}", 200),
        ("*", 400),
        ("alpha-*", 400),
        ("_all", 400),
        (f"{ALPHA},-{BETA}", 400),
        ("", 400),
        (f"{ALPHA},no-such-bucket", 404),
        (f"{ALPHA},{GAMMA}_packages", 403),
    ],
)
async def test_indices_are_named_one_by_one(
    quilt: QuiltServer, client: httpx.AsyncClient, index: str, status: int
) -> None:
    quilt.denied = {GAMMA}
    reply = await freeform(client, index, MATCH_ALL)
    assert reply.status_code == status
    assert ("message" in reply.json()) == (status != 200)


@pytest.mark.parametrize(
    ("body", "more"),
    [
        ({"query": {"no_such_query": {}}}, {}),
        ({"query": {"term": {"key": {"value": 1, "unknown": 2}}}}, {}),
        ({"unknown": 1}, {}),
        ({"query": {"query_string": {"query": "a/b"}}}, {}),
        ({"query": {"has_parent": {"parent_type": "mnfst", "query": {"match_all": {}}}}}, {}),
        (MATCH_ALL, {"from": "9999", "size": "2"}),
        (MATCH_ALL, {"preference": "x"}),
        ([], {}),
    ],
)
async def test_the_engine_refuses_what_it_does_not_know(
    client: httpx.AsyncClient, body: Any, more: dict[str, str]
) -> None:
    reply = await freeform(client, ALPHA, body, **more)
    assert reply.status_code == 400
    assert set(reply.json()) == {"message"}


async def test_hits_tell_the_index_behind_the_alias(client: httpx.AsyncClient) -> None:
    reply = await freeform(client, f"{BETA},{BETA}_packages", MATCH_ALL, size=1_000, filter_path="hits.hits._index")
    names = {hit["_index"] for hit in reply.json()["hits"]["hits"]}
    assert names == {BETA + REINDEXED, f"{BETA}_packages{REINDEXED}"}


async def test_both_routes_find_the_same_words(quilt: QuiltServer, client: httpx.AsyncClient) -> None:
    expected = len(sample_contents().objects_with("salmon"))
    query = '{ searchObjects(searchString: "Salmon", filter: {deleted: {false: true}}) { %s } }'
    _, answer = await ask(client, query % "... on ObjectsSearchResultSet { total }")
    assert answer["data"]["searchObjects"]["total"] == expected
    text = {"query_string": {"query": "Salmon"}}
    body = {"query": {"bool": {"must": text, "must_not": {"term": {"delete_marker": True}}}}}
    reply = await freeform(client, f"{ALPHA},{BETA},{GAMMA}", body)
    assert reply.json()["hits"]["total"] == {"value": expected, "relation": "eq"}
    simple = await client.get("/api/search", params={"index": ALPHA, "action": "search", "query": "salmon"})
    assert simple.json()["hits"]["total"]["value"] == len(sample_contents().objects_with("salmon", buckets=[ALPHA]))
    assert len(quilt.kinds("search")) == 2


async def test_a_refresh_token_works_once(quilt: QuiltServer, client: httpx.AsyncClient) -> None:
    first = (await client.post("/api/token", data={"refresh_token": REFRESH_TOKEN})).json()
    assert set(first) == {"refresh_token", "access_token", "expires_at"}
    again = await client.post("/api/token", data={"refresh_token": REFRESH_TOKEN})
    assert (again.status_code, set(again.json())) == (200, {"error"})
    bearer = {"Authorization": f"Bearer {first['access_token']}"}
    query = {"query": "{ bucketConfigs { name } }"}
    assert (await client.post("/graphql", json=query, headers=bearer)).status_code == 200
    quilt.skipped_seconds = 3_601
    assert (await client.post("/graphql", json=query, headers=bearer)).status_code == 401


async def test_nobody_searches_without_a_token_unless_the_catalog_is_open(
    quilt: QuiltServer, client: httpx.AsyncClient
) -> None:
    del client.headers["Authorization"]
    assert (await freeform(client, ALPHA, MATCH_ALL)).status_code == 401
    assert (await client.post("/graphql", json={"query": "{ __schema { types { name } } }"})).status_code == 401
    quilt.mode, quilt.always_requires_auth = "OPEN", False
    assert (await freeform(client, ALPHA, MATCH_ALL)).status_code == 200


async def test_packages_of_both_ages_are_indexed(quilt: QuiltServer, client: httpx.AsyncClient) -> None:
    latest = {"joined": {"term": {"ptr_tag": "latest"}}, "flat": {"term": {"pointer_file": "latest"}}}
    for form in ("joined", "flat"):
        quilt.packages_form = form
        reply = await freeform(client, f"{ALPHA}_packages", {"query": latest[form]})
        assert reply.json()["hits"]["total"]["value"] == len(sample_contents().packages_with(buckets=[ALPHA]))
