import orjson
import pytest
from elasticsearch_dsl import Search

from indexer.archives.definition import ARCHIVE
from indexer.engines.opensearch.connection import Connection
from indexer.engines.opensearch.documents import document_of, source_of
from indexer.engines.opensearch.mappings import index_body, sort_field
from indexer.engines.opensearch.search.facets import add_facets, keys_body
from indexer.engines.opensearch.search.hits import hit_of
from indexer.engines.opensearch.search.request import (
    all_matches_body,
    fallback_highlights_body,
    first_undeclared_field,
    matched_of,
    page_body,
    search_body,
)
from indexer.engines.opensearch.search.views import pit_of_view, view_of
from indexer.engines.port import Document, SearchRequest, Target
from indexer.errors import ExpiredView
from indexer.local.definition import LOCAL
from indexer.query.ast import Combined, Corrected, Everything, Phrase, Prefix, Query, SortKey, Within, Word
from indexer.schema.definition import Analysis, IndexDefinition
from indexer.tenancy import DocumentId, PhysicalName

DEFINITION = IndexDefinition("local", 1, sortable={"a.b": "number", "when": "date", "on": "boolean", "title": "string"})
TARGET = Target(PhysicalName("trawl.main.notes.3"), DEFINITION)
CLUSTER = Connection(("http://127.0.0.1:9200",))


def test_a_first_page_by_score_is_a_plain_search() -> None:
    body = search_body(TARGET, SearchRequest(Word("python"), 10))
    assert "sort" not in body
    assert "highlight" not in body
    assert body["track_total_hits"] is True
    assert body["_source"] == ["payload"]


def test_only_what_is_wanted_is_fetched() -> None:
    assert search_body(TARGET, SearchRequest(Everything(), 1, payload=False))["_source"] is False
    assert search_body(TARGET, SearchRequest(Everything(), 1, text=True))["_source"] == ["payload", "text"]


@pytest.mark.parametrize(
    ("query", "options"),
    [
        (Word("python"), {}),
        (Corrected("pyhton", ("python",)), {}),
        (Combined(any_of=(Word("python"), Prefix("py"))), {"matched_fields": ["text", "text.exact"]}),
        (Combined(must=(Phrase(("a", "b")),), must_not=(Word("c"),)), {"matched_fields": ["text.exact"]}),
    ],
)
def test_only_the_fields_that_the_query_names_are_marked(query: Query, options: object) -> None:
    body = search_body(TARGET, SearchRequest(query, 1, snippets=3))
    assert body["highlight"]["fields"] == {"text": options}


def test_corrected_words_weigh_less_in_highlights_than_exact_ones() -> None:
    query = Combined(any_of=(Corrected("pyhton", ("python",)), Word("fast")))
    body = search_body(TARGET, SearchRequest(query, 1, snippets=3))
    corrected, exact = body["highlight"]["fields"]["text"]["highlight_query"]["bool"]["should"]
    assert corrected["bool"]["boost"] < exact["match"]["text"]["boost"]


def test_hits_of_words_as_typed_are_told_by_the_name_of_their_clause() -> None:
    query = Combined(any_of=(Corrected("pyhton", ("python",)), Word("fast")))
    body = search_body(TARGET, SearchRequest(query, 1))
    named, corrected = body["query"]["bool"]["should"]
    assert named["bool"]["_name"] == "exact"
    assert "_name" not in str(corrected)
    assert matched_of([{"matched_queries": ["exact"]}, {}], SearchRequest(query, 2)) == ["exact", "fuzzy"]
    assert matched_of([{}], SearchRequest(Word("fast"), 1)) == ["exact"]


def test_nothing_is_marked_where_no_word_is_looked_for() -> None:
    query = Combined(where=(Phrase(("a", "b")),), must_not=(Word("c"),))
    for wanted in (
        SearchRequest(query, 1, snippets=3),
        SearchRequest(Everything(), 1, snippets=3),
        SearchRequest(Word("a"), 1),
    ):
        assert "highlight" not in search_body(TARGET, wanted)


def test_a_page_through_a_view_goes_on_by_score_and_place() -> None:
    view = view_of(TARGET.physical, "point")
    body = search_body(TARGET, SearchRequest(Word("python"), 10, view=view, after=[1.5, 7]))
    assert body["sort"] == ["_score", "_shard_doc"]
    assert (body["pit"]["id"], body["search_after"]) == ("point", [1.5, 7])


def test_a_page_by_declared_fields_breaks_ties_by_id() -> None:
    body = search_body(TARGET, SearchRequest(Word("python"), 10, (SortKey("a.b", descending=True),)))
    assert body["sort"] == [{sort_field("a.b"): {"order": "desc"}}, "id"]
    assert body["track_scores"] is True
    assert (
        first_undeclared_field((SortKey("a.b", descending=True), SortKey("year", descending=False)), DEFINITION)
        == "year"
    )


def test_requests_of_the_same_shape_share_nothing_but_the_shape() -> None:
    view = view_of(TARGET.physical, "point")
    first = search_body(TARGET, SearchRequest(Word("python"), 10, facets=("tag",), snippets=3, view=view, after=[1]))
    second = search_body(TARGET, SearchRequest(Word("fast"), 5, facets=("tag",), snippets=3, view=view))
    assert (first.pop("size"), second.pop("size")) == (10, 5)
    assert first.pop("query") != second.pop("query")
    assert first.pop("search_after") == [1]
    assert first == second
    assert "aggs" not in search_body(TARGET, SearchRequest(Word("python"), 10, snippets=3, view=view))


@pytest.mark.parametrize("definition", [LOCAL, ARCHIVE])
def test_a_range_looks_up_a_bounded_number_of_terms_and_walks_over_none(definition: IndexDefinition) -> None:
    target = Target(TARGET.physical, definition)
    for within in (Within("n", gt=1 / 3), Within("n", gte=-1e308, lt=1e10 / 7)):
        query = Combined(where=(within,), must_not=(Combined(any_of=(within,)),))
        request = SearchRequest(query, 10)
        for body in (
            search_body(target, request),
            all_matches_body(target, request),
            page_body(target, request, [DocumentId("a")]),
        ):
            written = orjson.dumps(body).decode()
            assert '"range"' not in written
            assert len(written) < 2 * 904 * 50


def test_a_sort_by_an_undeclared_field_first_fetches_all_ids_and_terms() -> None:
    body = all_matches_body(TARGET, SearchRequest(Word("python"), 10, snippets=3))
    assert body == {
        "query": {"match": {"text": {"query": "python", "boost": 2.2}}},
        "track_total_hits": True,
        "size": 10_000,
        "docvalue_fields": ["id", "kv"],
        "stored_fields": "_none_",
    }


def test_a_page_of_known_matches_is_scored_and_highlighted_by_the_query() -> None:
    request = SearchRequest(Word("python"), 10, (SortKey("year", descending=True),), facets=("tag",), snippets=3)
    body = page_body(TARGET, request, [DocumentId("a"), DocumentId("b")])
    highlight = {
        "type": "fvh", "number_of_fragments": 3, "encoder": "html", "pre_tags": ["<mark>"], "post_tags": ["</mark>"],
        "order": "score", "fragment_size": 200, "fields": {"text": {}},
    }  # fmt: skip
    matching = {"match": {"text": {"query": "python", "boost": 2.2}}}
    assert body == {
        "query": {"bool": {"must": [matching], "filter": [{"ids": {"values": ["a", "b"]}}]}},
        "size": 2,
        "version": True,
        "_source": ["payload"],
        "highlight": highlight,
    }


def test_only_prefixes_are_highlighted_a_second_time() -> None:
    view = view_of(TARGET.physical, "point")
    ids = [DocumentId("a")]
    request = SearchRequest(Combined(any_of=(Word("python"), Prefix("pyt"))), 10, snippets=3, view=view)
    body = fallback_highlights_body(TARGET, request, ids)
    assert body is not None
    prefix = {"prefix": {"text.exact": {"value": "pyt", "rewrite": "constant_score"}}}
    shown = {"bool": {"should": [{"constant_score": {"filter": prefix, "boost": 1}}]}}
    assert body["highlight"]["fields"] == {"text.exact": {"highlight_query": shown}}
    assert (body["highlight"]["type"], body["highlight"]["number_of_fragments"]) == ("unified", 3)
    assert (body["query"], body["size"], body["_source"]) == ({"ids": {"values": ["a"]}}, 1, False)
    assert body["pit"]["id"] == "point"
    assert fallback_highlights_body(TARGET, SearchRequest(Word("python"), 10, snippets=3), ids) is None
    assert fallback_highlights_body(TARGET, request, []) is None


def test_fields_are_counted_without_fetching_a_hit() -> None:
    counts = {"field": "keys", "size": 1_000, "shard_size": 1_000, "order": [{"_count": "desc"}, {"_key": "asc"}]}
    assert keys_body() == {"size": 0, "aggs": {"keys": {"terms": counts}}}


def test_a_view_serves_any_generation_of_its_own_index_and_no_other() -> None:
    view = view_of(PhysicalName("trawl.main.notes.3"), "a:b")
    assert pit_of_view(view, PhysicalName("trawl.main.notes.4"))["id"] == "a:b"
    for other in ("trawl.main.note.3", "trawl.other.notes.3"):
        with pytest.raises(ExpiredView):
            pit_of_view(view, PhysicalName(other))


def test_a_field_in_a_facet_is_taken_literally() -> None:
    search = Search()
    add_facets(search, ("a.b*",), 10)
    patterns = [part["terms"]["include"] for part in search.to_dict()["aggs"].values()]
    assert patterns == ["s\x1fa\\.b\\%2A\x1f.*", "n\x1fa\\.b\\%2A\x1f.*", "b\x1fa\\.b\\%2A\x1f.*"]


def test_a_document_survives_the_way_there_and_back() -> None:
    given = Document(
        DocumentId("a"), 7, "text", '{"é": "\\ud800"}'.encode(), ("t",), ("k",),
        {"a.b": 1.5, "when": 1_700_000_000_000_000.0, "on": False, "title": "x"},
    )  # fmt: skip
    source = source_of(given, DEFINITION)
    assert source[sort_field("when")] == 1_700_000_000_000_000
    assert document_of({"_id": "a", "_version": 7, "_source": source}, DEFINITION) == given


def test_values_that_the_definition_does_not_sort_by_are_not_sent() -> None:
    given = Document(DocumentId("a"), 1, "text", b"{}", sortable={"year": 1.0, "title": "x" * 40_000})
    source = source_of(given, DEFINITION)
    assert sort_field("year") not in source
    assert len(source[sort_field("title")]) == 1_000


def test_an_explanation_is_an_indented_tree() -> None:
    tree = {"value": 1.25, "description": "sum of:", "details": [{"value": 1.25, "description": "weight"}]}
    hit = hit_of({"_id": "a", "_score": 1.25, "_version": 1, "_explanation": tree}, "exact", [])
    assert hit.explanation == "1.25 sum of:\n  1.25 weight"


def test_replicas_follow_the_cluster_unless_told() -> None:
    settings = index_body(DEFINITION, CLUSTER)["settings"]
    assert (settings["auto_expand_replicas"], settings["number_of_shards"]) == ("0-1", 1)
    settings = index_body(DEFINITION, Connection(CLUSTER.urls, shards=3, replicas=2))["settings"]
    assert (settings["number_of_replicas"], settings["number_of_shards"]) == (2, 3)
    assert "auto_expand_replicas" not in settings


def test_an_index_lowers_and_stems_only_where_its_definition_says() -> None:
    plain = IndexDefinition("local", 1, Analysis(lowercase=False, language="none"))
    analyzers = index_body(plain, CLUSTER)["settings"]["analysis"]["analyzer"]
    assert analyzers["exact"]["filter"] == analyzers["stemmed"]["filter"] == ["not_too_long"]
    analyzers = index_body(DEFINITION, CLUSTER)["settings"]["analysis"]["analyzer"]
    assert analyzers["exact"]["filter"][-1] == "lowercase"
    assert analyzers["stemmed"]["filter"][-1] == "stemmer"


def test_a_connection_does_not_show_its_password() -> None:
    assert "canary" not in repr(Connection(CLUSTER.urls, "user", "canary"))
