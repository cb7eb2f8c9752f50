"""Which backend is asked: chosen when first needed, kept, and looked for again when it is time."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from graphql import graphql_sync

from app.sandbox.quilt.schema import Generation, schema
from indexer.errors import Authentication, PlatformError
from indexer.tenancy import Principal
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.backend_choice import BackendSelector
from mcp_server.features.quilt.elasticsearch.search import ElasticsearchSearch
from mcp_server.features.quilt.failures import CatalogFailed, NoRoute, StackChanged, token_refused
from mcp_server.features.quilt.graphql.search import GraphqlSearch
from mcp_server.features.quilt.settings import QuiltSettings
from tests.made_services import MAIN


class Catalog(QuiltConnection):
    """Answers what a choice asks, and counts it."""

    def __init__(self) -> None:
        self.generation: Generation = 2
        self.refusal: Callable[[], PlatformError] | None = None
        self.asked: list[str] = []
        self.last_failure = None

    async def registry(self, principal: Principal, catalog: str) -> str:  # noqa: ARG002 - the signature is inherited
        self.asked.append("config")
        await asyncio.sleep(0)
        return f"{catalog}/registry"

    async def graphql(self, principal: Principal, registry: str, body: Any, *, fresh: bool) -> Any:  # noqa: ARG002 - as above
        if "bucketConfigs" in body["query"]:
            self.asked.append("buckets")
            return {"bucketConfigs": [{"name": "b1"}, {"name": "b2"}]}
        self.asked.append("introspection")
        if self.refusal is not None:
            error = self.refusal()
            self.last_failure = error if error.category == "authentication" else None
            raise error
        self.last_failure = None
        return graphql_sync(schema(self.generation), body["query"]).data


def state(chosen: BackendSelector) -> str:
    return chosen.status["status"]


def selection(catalog: Catalog, clock: list[float], **changes: Any) -> BackendSelector:
    settings = QuiltSettings(_env_file=None, catalog_url="http://c", token="qk_a", **changes)
    return BackendSelector(settings, catalog, now=lambda: clock[0])


async def test_the_choice_is_made_once_for_all_callers_and_kept() -> None:
    catalog = Catalog()
    chosen = selection(catalog, [0.0])
    assert state(chosen) == "not_checked"
    assert catalog.asked == []
    backends = await asyncio.gather(*(chosen.backend(MAIN) for _ in range(5)))
    assert len(set(map(id, backends))) == 1
    assert catalog.asked == ["config", "introspection"]
    assert state(chosen) == "ready"
    assert (chosen.status["available"], chosen.status["backend"]) == (True, "graphql")


async def test_it_is_looked_for_again_after_a_time_and_when_asked() -> None:
    catalog, clock = Catalog(), [0.0]
    chosen = selection(catalog, clock, recheck_seconds=600)
    assert isinstance(await chosen.backend(MAIN), GraphqlSearch)
    catalog.generation = 0
    clock[0] = 599
    assert isinstance(await chosen.backend(MAIN), GraphqlSearch)
    clock[0] = 600
    assert isinstance(await chosen.backend(MAIN), ElasticsearchSearch)
    catalog.generation = 3
    assert isinstance(await chosen.backend(MAIN, refresh=True), GraphqlSearch)
    assert catalog.asked.count("introspection") == 3


async def test_a_stack_that_is_not_understood_any_more_is_introspected_and_nothing_else() -> None:
    catalog = Catalog()
    chosen = selection(catalog, [0.0])
    old = await chosen.backend(MAIN)
    assert isinstance(old, GraphqlSearch)
    catalog.generation = 3
    catalog.asked.clear()
    new = await chosen.backend(MAIN, instead_of=old)
    assert isinstance(new, GraphqlSearch)
    assert new.stack != old.stack
    assert await chosen.backend(MAIN, instead_of=old) is new
    assert catalog.asked == ["introspection"]


@pytest.mark.parametrize("refusal", [NoRoute, StackChanged])
async def test_without_graphql_search_it_is_elasticsearch(refusal: Callable[[], PlatformError]) -> None:
    catalog = Catalog()
    catalog.refusal = refusal
    chosen = selection(catalog, [0.0])
    assert isinstance(await chosen.backend(MAIN), ElasticsearchSearch)
    assert catalog.asked.count("buckets") == (refusal is StackChanged), "where there is no GraphQL nobody is asked"


async def test_a_failed_choice_is_told_and_made_again() -> None:
    catalog = Catalog()
    catalog.refusal = token_refused
    chosen = selection(catalog, [0.0])
    with pytest.raises(Authentication):
        await chosen.backend(MAIN)
    assert (chosen.status["available"], state(chosen)) == (False, "authentication_required")
    catalog.refusal = None
    assert isinstance(await chosen.backend(MAIN), GraphqlSearch)
    assert state(chosen) == "ready"


async def test_a_passing_trouble_does_not_take_away_what_worked_until_it_is_asked_for() -> None:
    catalog, clock = Catalog(), [0.0]
    chosen = selection(catalog, clock, recheck_seconds=600)
    working = await chosen.backend(MAIN)
    catalog.refusal = CatalogFailed
    clock[0] = 601
    assert await chosen.backend(MAIN) is working
    with pytest.raises(CatalogFailed):
        await chosen.backend(MAIN, refresh=True)
    catalog.refusal = token_refused
    clock[0] = 1_202
    with pytest.raises(Authentication):
        await chosen.backend(MAIN)
