"""Results as text."""

from indexer.errors import Failure
from indexer.local.results import (
    BulkResult,
    DescribeResult,
    DocumentResult,
    FacetCount,
    IndexEntry,
    IndicesResult,
    QueryParsed,
    SearchHit,
    SearchResult,
)
from mcp_server.features.local import text
from mcp_server.protocol.failure_text import failure_text

PARSED = QueryParsed(terms=["reef"], must=[], must_not=[], phrases=[], corrected={})


def test_a_page_names_ids_scores_highlights_facets_and_the_next_cursor() -> None:
    result = SearchResult(
        success=True,
        results=[
            SearchHit(
                doc_id="a",
                title="Reefs",
                score=3.14159,
                matched="exact",
                highlights=["a <mark>reef</mark>"],
                metadata={"title": "Reefs", "autor": "Ångström"},
            ),
            SearchHit(
                doc_id="b", title="b", score=1.0, matched="fuzzy", highlights=[], metadata={}, explanation="because"
            ),
        ],
        total_matches=42,
        query_parsed={**PARSED, "corrected": {"reff": ["reef", "ruff"]}},
        facets={"year": [FacetCount(value=2020.0, count=3), FacetCount(value="x", count=1)]},
        did_you_mean="reefs",
        next_cursor="c_1",
        truncated=True,
        took_ms=4,
    )
    assert text.search_text(result).splitlines() == [
        "42 matches, 2 shown",
        '1. (3.142) a Reefs {"autor":"Ångström"}',
        " a <mark>reef</mark>",
        "2. (1, fuzzy) b",
        " why: because",
        'year: 2020.0 (3), "x" (1)',
        "reff: occurs nowhere, searched as reef, ruff",
        "Did you mean: reefs",
        'Shortened; for more: detail="full", max_chars, search_get_document',
        "next_cursor: c_1",
    ]


def test_metadata_that_repeats_the_id_is_not_shown_again() -> None:
    path = "a/long/way/to/notes.md"
    metadata = {"path": "a/long/way…", "year": 2020}
    hit = SearchHit(doc_id=path, title=path, score=1.0, matched="exact", highlights=[], metadata=metadata)
    result = SearchResult(
        success=True,
        results=[hit],
        total_matches=1,
        query_parsed=PARSED,
        facets={},
        did_you_mean=None,
        next_cursor=None,
        truncated=False,
        took_ms=0,
    )
    assert text.search_text(result).splitlines()[1:] == ['1. (1) a/long/way/to/notes.md {"year":2020}']


def test_an_empty_page_is_one_line() -> None:
    result = SearchResult(
        success=True,
        results=[],
        total_matches=0,
        query_parsed=PARSED,
        facets={},
        did_you_mean=None,
        next_cursor=None,
        truncated=False,
        took_ms=0,
    )
    assert text.search_text(result) == "0 matches, 0 shown"


def test_a_failure_says_what_to_do() -> None:
    failure = Failure(
        success=False,
        error="Index not found: geologie",
        error_category="not_found",
        details={"closest": ["geology"]},
        fix={"required_action": "Use one of details.closest", "command": "search_list_indices()"},
        alternatives={"search_create_index": "Create it"},
    )
    assert failure_text(failure).splitlines() == [
        "Failed (not_found): Index not found: geologie",
        'Details: {"closest":["geology"]}',
        "Fix: Use one of details.closest",
        "Command: search_list_indices()",
        "Or search_create_index: Create it",
    ]


def test_documents_are_named_by_what_became_of_them() -> None:
    result = BulkResult(
        success=True,
        indexed=1,
        failed=1,
        results=[
            {"doc_id": "good", "status": "indexed", "token_count": 3},
            {"doc_id": "bad", "status": "failed", "error": "Content must be a non-empty string"},
        ],
    )
    assert text.bulk_text(result) == "1 indexed, 1 failed\nindexed: good\n- bad: Content must be a non-empty string"


def test_a_part_of_a_document_ends_with_where_to_go_on() -> None:
    result = DocumentResult(
        success=True, doc_id="a", content="abc", metadata={}, revision=7, total_chars=10, next_offset=3
    )
    assert text.document_text(result) == "a (revision 7, 3 of 10 characters)\n\nabc\n\nnext_offset: 3"


def test_an_outdated_index_is_marked() -> None:
    entry = IndexEntry(
        index_name="old", documents=2, size_bytes=9, created_at="2025-01-01", definition_version=1, outdated=True
    )
    assert text.indices_text(IndicesResult(success=True, indices=[entry])) == (
        "1 indices\n- old: 2 documents, 9 bytes, outdated: re-index it"
    )


def test_fields_come_with_types_and_samples() -> None:
    result = DescribeResult(
        success=True,
        index_name="default",
        documents=2,
        tokenizer_config={"lowercase": True},
        fields=[{"name": "year", "types": ["number"], "documents": 2, "sample_values": [2020.0, 2021.0]}],
        sortable_fields={"year": "number"},
    )
    assert text.describe_text(result).splitlines() == [
        'default: 2 documents, tokens {"lowercase":true}',
        'sortable: {"year":"number"}',
        "- year (number, 2 documents): 2020.0, 2021.0",
    ]
