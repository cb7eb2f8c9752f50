"""Which indices are named to Elasticsearch: all that can be searched, and the rest is told."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson
import pytest

from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.arguments import SearchCatalog
from mcp_server.features.quilt.backend import PageRequest
from mcp_server.features.quilt.elasticsearch.search import ElasticsearchSearch
from mcp_server.features.quilt.failures import IndicesNotSearchable, NoRoute
from mcp_server.features.quilt.query.catalog_query import build_catalog_query
from tests.made_services import MAIN

BUCKETS = [f"bucket-{number}" for number in range(8)]


class Registry(QuiltConnection):
    """Finds nothing in any index that it lets be searched."""

    def __init__(self, *, denied: Iterable[str] = (), missing: Iterable[str] = (), most: int = 100) -> None:
        self.denied = set(denied)
        self.missing = set(missing)
        self.most = most
        self.asked: list[list[str]] = []
        self.searches = 0

    async def search(self, principal: Principal, registry: str, parameters: Mapping[str, str], *, fresh: bool) -> Any:  # noqa: ARG002 - the signature is inherited
        indices = parameters["index"].split(",")
        self.asked.append(indices)
        self.searches += "match_none" not in orjson.loads(parameters["body"])["query"]
        if self.denied & set(indices) or len(indices) > self.most:
            raise IndicesNotSearchable(denied=True)
        if self.missing & set(indices):
            raise IndicesNotSearchable(denied=False)
        return {"hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}}


async def searched(search: ElasticsearchSearch, **arguments: Any) -> list[str]:
    question = build_catalog_query(SearchCatalog(query="csv", **arguments))
    return (await search.search(MAIN, question, PageRequest(limit=5))).skipped_buckets


async def test_every_index_is_named_in_one_request() -> None:
    registry = Registry()
    assert await searched(ElasticsearchSearch(registry, "r", BUCKETS)) == []
    (indices,) = registry.asked
    assert sorted(indices) == sorted([*BUCKETS, *(f"{bucket}_packages" for bucket in BUCKETS)])


async def test_denied_indices_are_found_out_once_and_left_out_from_then_on() -> None:
    registry = Registry(denied={"bucket-3", "bucket-6"})
    search = ElasticsearchSearch(registry, "r", BUCKETS)
    assert await searched(search, scope="object") == ["bucket-3", "bucket-6"]
    assert registry.searches == 2
    registry.asked.clear()
    assert await searched(search, scope="object") == ["bucket-3", "bucket-6"]
    assert registry.asked == [[bucket for bucket in BUCKETS if bucket not in registry.denied]]


async def test_an_index_that_is_not_there_is_left_out_without_a_word() -> None:
    registry = Registry(missing={"bucket-1_packages"})
    assert await searched(ElasticsearchSearch(registry, "r", BUCKETS), scope="package") == []
    assert "bucket-1_packages" not in registry.asked[-1]


async def test_a_list_that_is_too_long_is_shrunk_and_the_rest_is_told() -> None:
    registry = Registry(most=4)
    search = ElasticsearchSearch(registry, "r", BUCKETS)
    assert await searched(search, scope="object") == BUCKETS[4:]
    assert registry.asked[-1] == BUCKETS[:4]


async def test_who_names_a_denied_bucket_is_told_and_may_try_again() -> None:
    registry = Registry(denied={"bucket-3"})
    search = ElasticsearchSearch(registry, "r", BUCKETS)
    with pytest.raises(PlatformError) as failed:
        await searched(search, scope="object", bucket="bucket-3")
    assert failed.value.category == "authorization"
    assert "bucket-3" in failed.value.message
    registry.denied = set()
    assert await searched(search, scope="object", bucket="bucket-3") == []


async def test_an_unknown_bucket_comes_with_the_closest_before_anything_is_asked() -> None:
    registry = Registry()
    with pytest.raises(PlatformError) as failed:
        await searched(ElasticsearchSearch(registry, "r", BUCKETS), bucket="bucket-33")
    assert failed.value.category == "not_found"
    assert "bucket-3" in failed.value.details["closest"]
    assert registry.asked == []


async def test_where_buckets_cannot_be_listed_one_must_be_named() -> None:
    registry = Registry(missing={"trawl-looks-whether-there-is-search"})
    search = ElasticsearchSearch(registry, "r", None)
    with pytest.raises(PlatformError) as failed:
        await searched(search)
    assert (failed.value.category, registry.searches) == ("validation", 0)
    assert await searched(search, bucket="anything") == []


async def test_where_there_is_no_search_at_all_that_is_told_first() -> None:
    class Nobody(Registry):
        async def search(self, *_: Any, **__: Any) -> Any:
            raise NoRoute

    with pytest.raises(NoRoute):
        await searched(ElasticsearchSearch(Nobody(), "r", None))
