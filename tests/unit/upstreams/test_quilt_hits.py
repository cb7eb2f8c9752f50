"""Hits as callers see them, the same from both backends; and what a broken answer is."""

from typing import Any

import pytest

from indexer.errors import PlatformError
from indexer.search.truncate import truncate_page
from indexer.text.truncate import SizeLimits
from mcp_server.features.quilt.elasticsearch.responses import bucket_of
from mcp_server.features.quilt.elasticsearch.responses import parse_page as from_elasticsearch
from mcp_server.features.quilt.graphql.queries import GraphqlPageRequest
from mcp_server.features.quilt.graphql.responses import parse_page as from_graphql
from mcp_server.features.quilt.hits import object_uri, shorten_hit
from mcp_server.features.quilt.results import CatalogHit

OBJECT = {
    "id": "1",
    "score": 2.5,
    "bucket": "b1",
    "key": "data/f 0.csv",
    "version": "v+1",
    "size": 10.0,
    "modified": "2025-01-01T02:00:00+02:00",
}
PACKAGE = {
    "id": "2",
    "score": 1,
    "bucket": "b1",
    "name": "team/set",
    "hash": "abc",
    "size": 7.0,
    "modified": "2025-01-01T00:00:00.5Z",
    "comment": "First\u200b",
    "meta": '{"author": "Sm\u202eith"}',
}


def graphql(kind: Any, hit: dict[str, Any]) -> CatalogHit:
    answer = {"total": 1, "firstPage": {"__typename": "Page", "cursor": None, "hits": [hit]}}
    (found,) = from_graphql(GraphqlPageRequest(kind, 5), answer).hits
    return found


def elasticsearch(index: str, source: dict[str, Any], **more: Any) -> CatalogHit:
    hit = {"_index": index, "_id": "x", "_score": 1.5, "_source": source, **more}
    (found,) = from_elasticsearch({"hits": {"total": {"value": 1, "relation": "eq"}, "hits": [hit]}}).hits
    return found


def test_an_object_has_an_address_that_works() -> None:
    hit = graphql("object", OBJECT)
    assert hit == {
        "type": "object",
        "id": "1",
        "bucket": "b1",
        "name": "data/f 0.csv",
        "title": "f 0.csv",
        "score": 2.5,
        "size": 10,
        "modified": "2025-01-01T00:00:00Z",
        "metadata": {},
        "s3_uri": "s3://b1/data/f%200.csv?versionId=v%2B1",
    }


@pytest.mark.parametrize("version", [None, "", "null"])
def test_an_unknown_version_is_left_out(version: str | None) -> None:
    assert object_uri("b1", "a/b", version) == "s3://b1/a/b"


def test_a_package_is_cleaned_and_addressed() -> None:
    hit = graphql("package", PACKAGE)
    assert (hit["name"], hit["title"], hit["comment"]) == ("team/set", "team/set", "First")
    assert (hit["metadata"], hit["modified"]) == ({"author": "Smith"}, "2025-01-01T00:00:00.500000Z")
    assert hit["s3_uri"] == "quilt+s3://b1#package=team/set@abc"


@pytest.mark.parametrize("meta", [None, "", "no json", "[1]", 5])
def test_metadata_that_is_no_object_is_none(meta: Any) -> None:
    assert graphql("package", PACKAGE | {"meta": meta})["metadata"] == {}


def test_both_backends_tell_the_same() -> None:
    source = {"key": "data/f 0.csv", "version_id": "v+1", "size": 10, "last_modified": "2025-01-01T00:00:00+00:00"}
    assert elasticsearch("b1-reindex-v1", source) | {"id": "1", "score": 2.5} == graphql("object", OBJECT)
    flat = {
        "handle": "team/set",
        "hash": "abc",
        "package_stats": {"total_bytes": 7},
        "last_modified": "2025-01-01T00:00:00.5Z",
        "comment": "First",
        "metadata": '{"author": "Smith"}',
    }
    expected = graphql("package", PACKAGE) | {"id": "x", "score": 1.5}
    assert elasticsearch("b1_packages", flat) == expected
    manifest = {
        "mnfst_hash": "abc",
        "mnfst_stats": {"total_bytes": 7},
        "mnfst_metadata": '{"author": "Smith"}',
        "mnfst_message": "First",
    }
    pointer = {"ptr_name": "team/set", "ptr_last_modified": "2025-01-01T00:00:00.5Z"}
    inner = {"mnfst": {"hits": {"hits": [{"_source": manifest}]}}}
    assert elasticsearch("b1_packages-reindex-v2", pointer, inner_hits=inner) == expected


def test_a_package_of_unknown_revision_has_an_address_without_one() -> None:
    assert elasticsearch("b1_packages", {"ptr_name": "team/set"})["s3_uri"] == "quilt+s3://b1#package=team/set"


def test_an_index_tells_its_bucket() -> None:
    names = ("b1", "b1_packages", "b1-reindex-v1", "b1_packages-reindex-v1")
    assert {bucket_of(name) for name in names} == {"b1"}


@pytest.mark.parametrize(
    "answer",
    [
        {"timed_out": True, "hits": {"hits": [], "total": 0}},
        {"_shards": {"failed": 1}, "hits": {"hits": [], "total": 0}},
        {"hits": {"hits": [{"_index": "b1", "_source": {}}], "total": 1}},
        {"hits": {"hits": [{"_source": {"key": "a"}}], "total": 1}},
        {"hits": {"hits": 5, "total": 1}},
        {"hits": {"hits": []}},
    ],
)
def test_a_partial_or_broken_answer_is_a_failure(answer: dict[str, Any]) -> None:
    with pytest.raises(PlatformError) as failed:
        from_elasticsearch(answer)
    assert failed.value.category in {"timeout", "provider"}


def test_a_total_that_is_no_count_is_said_to_be_one() -> None:
    found = from_elasticsearch({"hits": {"hits": [], "total": {"value": 10_000, "relation": "gte"}}})
    assert (found.total, found.total_is_lower_bound) == (10_000, True)


@pytest.mark.parametrize(
    ("answer", "after", "category"),
    [
        ({"__typename": "InvalidInput", "errors": [{"path": "filter", "name": "Bad"}]}, None, "validation"),
        ({"__typename": "OperationError", "name": "Timeout"}, None, "timeout"),
        ({"__typename": "OperationError", "name": "AccessDenied"}, None, "authorization"),
        ({"__typename": "OperationError"}, None, "provider"),
        ({"total": 5, "firstPage": {"__typename": "InvalidInput", "errors": []}}, None, "validation"),
        ({"__typename": "InvalidInput", "errors": []}, "cursor", "validation"),
        ({"total": 5, "firstPage": None}, None, "provider"),
        ({"total": 5, "firstPage": {"hits": [{"id": 1}]}}, None, "provider"),
        (None, None, "provider"),
    ],
)
def test_an_error_in_an_answer_is_raised(answer: Any, after: str | None, category: str) -> None:
    with pytest.raises(PlatformError) as failed:
        from_graphql(GraphqlPageRequest("object", 5, after), answer)
    assert failed.value.category == category
    assert after is None or "Search again" in failed.value.action


def test_shortening_keeps_what_identifies_a_hit() -> None:
    hit = graphql("package", PACKAGE | {"meta": '{"author": "a long name"}', "comment": "a long comment"})
    short = shorten_hit(hit, SizeLimits(4, 5, 1))
    assert (short["name"], short["s3_uri"], short["id"]) == (hit["name"], hit["s3_uri"], hit["id"])
    assert (short["metadata"], short["comment"]) == ({"aut…": "a l…"}, "a l…")


def test_ids_leave_out_metadata_and_comment() -> None:
    hit = graphql("package", PACKAGE | {"meta": '{"author": "a name"}', "comment": "a comment"})
    page = truncate_page([hit], None, shorten_hit, "ids")
    assert page.truncated
    [short] = page.hits
    assert (short["metadata"], "comment" in short) == ({}, False)
    assert (short["id"], short["title"], short["score"]) == (hit["id"], hit["title"], hit["score"])
