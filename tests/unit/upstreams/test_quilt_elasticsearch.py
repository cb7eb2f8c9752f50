"""The language of Elasticsearch, what people type, and how a failure is told."""

import json
import subprocess
import sys
from typing import Any

import pytest

from indexer.errors import ExpiredView, PlatformError
from mcp_server.features.quilt import failures
from mcp_server.features.quilt.api.client import registry_url
from mcp_server.features.quilt.arguments import SearchCatalog
from mcp_server.features.quilt.elasticsearch.query import search_body
from mcp_server.features.quilt.query.catalog_query import bucket_name, build_catalog_query
from mcp_server.features.quilt.query.typed_query import to_valid_lucene
from mcp_server.lucene.syntax import fields_of
from mcp_server.upstream.transport import Reply
from tests.service import ROOT


def body(query: str = "csv", **arguments: Any) -> dict[str, Any]:
    return search_body(build_catalog_query(SearchCatalog(query=query, **arguments)), with_hits=True)


def test_objects_are_asked_for_without_what_was_deleted() -> None:
    asked = body(scope="object", filters={"ext": "csv", "size": {"not": 5}})["query"]["bool"]
    assert asked["must"][0]["query_string"]["query"] == "csv"
    assert {"terms": {"ext": [".csv"]}} in asked["filter"]
    assert {"term": {"delete_marker": True}} in asked["must_not"]
    assert {"terms": {"size": [5.0]}} in asked["must_not"]


def test_both_kinds_are_one_request_with_an_order_that_stays() -> None:
    asked = body("*")
    assert len(asked["query"]["bool"]["should"]) == 2
    assert [list(each) for each in asked["sort"]] == [["_score"], ["_index"], ["_id"]]
    assert asked["track_total_hits"] is True


def test_a_whole_request_is_what_elasticsearch_takes() -> None:
    asked = body("data/f0.csv", scope="object", filters={"size": {"gte": 5}}, order="newest")
    text = {
        "query": "data\\/f0.csv",
        "fields": ["content", "comment", "ext", "key", "key_text", "meta_text"],
        "lenient": True,
        "analyze_wildcard": True,
    }
    kind = {
        "must": [{"query_string": text}],
        "filter": [{"exists": {"field": "key"}}, {"range": {"size": {"gte": 5.0}}}],
        "must_not": [{"term": {"delete_marker": True}}, {"exists": {"field": "handle"}}],
    }
    newest = {"order": "desc", "missing": "_last", "unmapped_type": "date"}
    assert {name: asked[name] for name in ("query", "sort", "track_total_hits", "track_scores")} == {
        "query": {"bool": kind},
        "sort": [{"last_modified": newest}, {"_index": {"order": "asc"}}, {"_id": {"order": "asc"}}],
        "track_total_hits": True,
        "track_scores": True,
    }
    assert {"key", "size", "handle"} <= set(asked["_source"])
    assert json.loads(json.dumps(asked)) == asked, "it is plain data, whatever built it"


def test_a_page_past_the_result_window_goes_on_after_a_hit() -> None:
    query = build_catalog_query(SearchCatalog(query="csv"))
    assert search_body(query, with_hits=True, search_after=[1.5, "i", "a"])["search_after"] == [1.5, "i", "a"]
    assert "search_after" not in search_body(query, with_hits=True)


def test_the_library_that_builds_requests_is_not_loaded_at_the_start() -> None:
    code = "import sys, mcp_server.features.all; sys.exit('elasticsearch_dsl' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_counting_fetches_nothing() -> None:
    counted = search_body(build_catalog_query(SearchCatalog(query="csv")), with_hits=False)
    assert set(counted) == {"query", "track_total_hits"}


def test_words_beyond_ascii_are_also_looked_for_as_old_metadata_spells_them() -> None:
    asked = str(body("Öberg", scope="package")["query"])
    assert "Öberg" in asked
    assert "u00d6berg" in asked
    assert "u00" not in str(body("Oberg", scope="package")["query"])


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("csv", "csv"),
        ("+csv -json", "+csv -json"),
        ('"a phrase" AND b', '"a phrase" AND b'),
        ("ext:.csv", "ext:.csv"),
        ("data/f0.csv", "data\\/f0.csv"),
        ("s3://b1/a", "s3\\:\\/\\/b1\\/a"),
        ('"half', '\\"half'),
        ("salmon AND", "salmon \\AND"),
        ("a:b:c", "a\\:b\\:c"),
        ("x] <y>", "x\\]  y "),
        ("\\", "\\\\"),
    ],
)
def test_what_is_typed_becomes_a_query_that_can_be_read(typed: str, sent: str) -> None:
    assert to_valid_lucene(typed) == sent
    fields_of(sent)


@pytest.mark.parametrize("name", ["b1", "s3://b1", "s3://b1/", " b1 "])
def test_a_bucket_is_named_plainly(name: str) -> None:
    assert bucket_name(name) == "b1"


@pytest.mark.parametrize("name", ["", "*", "_all", "a,b", "a/b", "a*", "a b", "-a", "ä"])
def test_what_names_no_single_bucket_is_refused(name: str) -> None:
    with pytest.raises(PlatformError):
        bucket_name(name)


@pytest.mark.parametrize(
    "arguments", [{"query": "a" * 2_001}, {"query": "\ud800"}, {"query": "a", "count_only": True, "cursor": "x"}]
)
def test_a_question_that_makes_no_sense_is_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(PlatformError) as failed:
        build_catalog_query(SearchCatalog(**arguments))
    assert failed.value.category == "validation"


@pytest.mark.parametrize(
    ("catalog", "named", "registry"),
    [
        ("https://c.org", "https://r.org/", "https://r.org"),
        ("https://c.org", "/registry", "https://c.org/registry"),
        ("https://c.org", "http://r.org", None),
        ("http://c.org", "http://r.org", "http://r.org"),
        ("http://c.org", "ftp://r.org", None),
    ],
)
def test_a_token_goes_only_where_the_catalog_says_and_never_in_the_clear(
    catalog: str, named: str, registry: str | None
) -> None:
    assert registry_url(catalog, f'{{"registryUrl": "{named}"}}'.encode()) == registry


STATUSES = (400, 401, 403, 404, 405, 413, 418, 422, 429, 500, 501, 502, 503, 504)


@pytest.mark.parametrize(
    "error",
    [
        failures.not_configured(),
        failures.not_logged_in(),
        failures.token_refused(),
        failures.not_permitted(),
        failures.not_permitted("b1"),
        failures.unknown_bucket("b2", ["b1"]),
        failures.unsupported("No", "Do that"),
        failures.invalid("No", "Do that"),
        failures.invalid_query(),
        failures.NoRoute(),
        failures.StackChanged(),
        failures.CatalogFailed(),
        ExpiredView(),
        failures.ERROR_MESSAGES.too_slow(),
        *(failures.ERROR_MESSAGES.refusal(5, limited=limited) for limited in (True, False)),
        *(failures.attempt_failure(Reply(status, {}, b"")).error for status in STATUSES),
    ],
    ids=lambda error: f"{error.category}: {error.message}",
)
def test_every_failure_has_a_cause_a_fix_and_an_alternative(error: PlatformError) -> None:
    known = {"authenticated": False, "catalog_url": "https://c.org"}
    failure = failures.with_context(error, known).failure()
    assert failure["details"]["cause"]
    assert known.items() <= failure["details"].items()
    assert failure["fix"]["required_action"]
    assert "bucket_objects_list" in failure["alternatives"]
    if failure["error_category"] == "authentication":
        assert failure["error"] == "Search catalog requires authentication"
        assert "TRAWL_QUILT_TOKEN" in failure["fix"].get("command", "")
