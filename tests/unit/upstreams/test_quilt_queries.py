"""Queries are written for what a stack knows: each one is valid GraphQL on the generation that it was written for."""

from typing import Any

import pytest
from graphql import GraphQLSchema, build_schema, graphql_sync, parse, validate

from app.sandbox.quilt.schema import Generation, schema
from indexer.errors import PlatformError
from mcp_server.features.quilt.arguments import SearchCatalog
from mcp_server.features.quilt.failures import StackChanged
from mcp_server.features.quilt.graphql.queries import BUCKETS, GraphqlPageRequest, search_body
from mcp_server.features.quilt.graphql.schema import INTROSPECTION, Stack, parse_introspection
from mcp_server.features.quilt.query.catalog_query import build_catalog_query

GENERATIONS: list[Generation] = [1, 2, 3]
EVERYTHING: dict[str, Any] = {
    "bucket": "b1",
    "order": "newest",
    "filters": {"size": {"gte": 5}, "modified": "2025-01-01"},
}


def introspected(built: GraphQLSchema) -> Stack:
    result = graphql_sync(built, INTROSPECTION)
    assert result.data is not None, result.errors
    stack = parse_introspection(result.data)
    assert stack is not None
    return stack


def body(stack: Stack, asks: list[GraphqlPageRequest], **arguments: Any) -> dict[str, Any]:
    return search_body(stack, build_catalog_query(SearchCatalog(query="csv", **arguments)), asks)


def assert_valid(generation: Generation, written: dict[str, Any]) -> None:
    assert validate(schema(generation), parse(written["query"])) == []


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize("order", ["best", "newest", "oldest", "name"])
@pytest.mark.parametrize("size", [None, 50])
def test_a_first_page_is_valid_on_its_stack(generation: Generation, order: str, size: int | None) -> None:
    written = body(
        introspected(schema(generation)),
        [GraphqlPageRequest("package", size), GraphqlPageRequest("object", size)],
        order=order,
    )
    assert_valid(generation, written)
    assert ("firstPage" in written["query"]) == (size is not None)


@pytest.mark.parametrize("generation", GENERATIONS)
def test_a_later_page_and_a_first_one_fit_into_one_request(generation: Generation) -> None:
    stack = introspected(schema(generation))
    written = body(stack, [GraphqlPageRequest("package", 50, "cursor"), GraphqlPageRequest("object", 20)], **EVERYTHING)
    assert_valid(generation, written)
    assert written["variables"]["package_after"] == "cursor"
    assert written["variables"]["object_buckets"] == ["b1"]
    assert written["variables"]["object_filter"]["size"] == {"gte": 5.0}


@pytest.mark.parametrize("generation", GENERATIONS)
def test_metadata_of_packages_can_be_asked_for(generation: Generation) -> None:
    written = body(
        introspected(schema(generation)), [GraphqlPageRequest("package", 5)], scope="package", filters={"meta.a.b": "x"}
    )
    assert_valid(generation, written)
    (asked,) = written["variables"]["package_userMetaFilters"]
    assert (asked["path"], asked["keyword"]) == ("/a/b", {"terms": ["x"]})


def test_each_generation_gets_its_own_form() -> None:
    texts = [
        body(introspected(schema(generation)), [GraphqlPageRequest("package", 5)], order="newest")
        for generation in GENERATIONS
    ]
    assert "OperationError" not in texts[0]["query"]
    assert "OperationError" in texts[1]["query"]
    assert texts[1]["variables"]["package_order"] == "NEWEST"
    assert texts[2]["variables"]["package_ordering"] == "sys:modified:desc"
    assert "$package_ordering: PackageOrdering" in texts[2]["query"]


def test_everything_is_asked_for_without_a_search_string() -> None:
    stack = introspected(schema(2))
    for query in ("*", " ", ""):
        written = search_body(stack, build_catalog_query(SearchCatalog(query=query)), [GraphqlPageRequest("object", 5)])
        assert "object_searchString" not in written["variables"]


def test_a_stack_knows_whether_it_searches() -> None:
    assert not introspected(schema(0)).has_search
    assert all(introspected(schema(generation)).has_search for generation in GENERATIONS)
    assert introspected(schema(1)) == introspected(schema(1)) != introspected(schema(2))
    assert validate(schema(0), parse(BUCKETS["query"])) == []


@pytest.mark.parametrize("data", [{}, {"__schema": None}, {"__schema": {"types": 5}}])
def test_what_is_no_introspection_is_none(data: dict[str, Any]) -> None:
    assert parse_introspection(data) is None


def test_a_stack_that_lost_what_a_query_needs_is_changed() -> None:
    small = build_schema(
        "type Query { searchPackages(searchString: String): Found! searchObjects(searchString: String): Found! } "
        "type Found { total: Int! }"
    )
    with pytest.raises(StackChanged):
        body(introspected(small), [GraphqlPageRequest("package", 5)])


def test_what_a_stack_does_not_take_is_told_not_left_out() -> None:
    small = build_schema(
        "type Query { searchPackages(searchString: String): Found! searchObjects(searchString: String): Found! } "
        "type Found { total: Int! firstPage(size: Int, order: Order): Page! } enum Order { BEST_MATCH NEWEST } "
        "type Page { cursor: String hits: [Hit!]! } type Hit { id: ID! bucket: String! name: String! }"
    )
    stack = introspected(small)
    assert validate(small, parse(body(stack, [GraphqlPageRequest("package", 5)])["query"])) == []
    for arguments in ({"bucket": "b1"}, {"filters": {"meta.a": 1}}, {"filters": {"size": 5}}):
        with pytest.raises(PlatformError) as failed:
            body(stack, [GraphqlPageRequest("package", 5)], scope="package", **arguments)
        assert failed.value.category == "not_applicable"
