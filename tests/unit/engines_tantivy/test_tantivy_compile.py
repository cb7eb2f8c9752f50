from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from tantivy import Searcher

from indexer.archives.definition import ARCHIVE
from indexer.engines.port import Document
from indexer.engines.tantivy.documents import build_document, identity_of
from indexer.engines.tantivy.schema import IndexHandle, open_or_create_index
from indexer.engines.tantivy.search.compile import compile_query
from indexer.engines.tantivy.search.explain import explain
from indexer.local.definition import LOCAL
from indexer.query.ast import (
    AnyValue,
    Combined,
    Corrected,
    Everything,
    Exists,
    Identified,
    Nothing,
    Phrase,
    Prefix,
    Query,
    StartsWith,
    Within,
    Word,
)
from indexer.schema.definition import Analysis, IndexDefinition
from indexer.schema.metadata_terms import keys_of, terms_of
from indexer.tenancy import DocumentId

DOCUMENTS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "a": ("running fast over the Straße", {"year": 2020, "tag": "red", "when": "2020-01-05T10:00:00Z"}),
    "b": ("he runs; over fast running water", {"year": 2021.5, "tag": ["Red", "a b"], "ok": True}),
    "ü/1": ("日本語 café überfall", {"year": "2020", "odd - key: *?": 'a "quoted" [TO] \\ {value}'}),
    "d": ("nothing here", {"tag": "", "year": -3}),
}


class Searched:
    """An index in memory with the documents above."""

    def __init__(self, analysis: Analysis | None = None) -> None:
        self.handle: IndexHandle = open_or_create_index(IndexDefinition("local", 1, analysis or Analysis()), None)
        writer = self.handle.index.writer(15_000_000, 1)
        for identity, (text, metadata) in DOCUMENTS.items():
            terms, keys = terms_of(metadata), keys_of(metadata)
            document = Document(DocumentId(identity), 1, text, b"{}", terms, keys)
            writer.add_document(build_document(document, self.handle.definition))
        writer.commit()
        writer.wait_merging_threads()
        self.handle.index.reload()
        self.searcher: Searcher = self.handle.index.searcher()

    def scores(self, query: Query) -> dict[str, float]:
        hits = self.searcher.search(compile_query(query, self.handle), limit=100).hits
        return {identity_of(self.searcher.doc(address)): score for score, address in hits}

    def ids(self, query: Query) -> set[str]:
        return set(self.scores(query))


@pytest.fixture(scope="module")
def searched() -> Searched:
    return Searched()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Everything(), {"a", "b", "ü/1", "d"}),
        (Nothing(), set()),
        (Word("run"), {"a", "b"}),
        (Word("x" * 300), set()),
        (Phrase(("running", "fast")), {"a"}),
        (Phrase(("runs",)), {"b"}),
        (Phrase(("run",)), set()),
        (Phrase(("日", "本", "語")), {"ü/1"}),
        (Prefix("stra"), {"a"}),
        (Prefix("üb"), {"ü/1"}),
        (Prefix("日"), {"ü/1"}),
        (Prefix("ru"), {"a", "b"}),
        (Prefix("x" * 2_000), set()),
        (Corrected("cafe", ("café",)), {"ü/1"}),
        (Corrected("runing", ("running", "café")), {"a", "b", "ü/1"}),
        (Corrected("x", ("nowhere",)), set()),
        (AnyValue("year", (2020.0,)), {"a"}),
        (AnyValue("year", ("2020",)), {"ü/1"}),
        (AnyValue("tag", ("red", "a b")), {"a", "b"}),
        (AnyValue("tag", ("",)), {"d"}),
        (AnyValue("ok", (True,)), {"b"}),
        (AnyValue("tag", ("red",), internal=True), set()),
        (Within("year", gte=2020.0), {"a", "b"}),
        (Within("year", gt=2020.0), {"b"}),
        (Within("year", lt=0.0), {"d"}),
        (Within("year", gte=-3.0, lte=2020.0), {"a", "d"}),
        (Within("year", gte="2020", lte="2020"), {"ü/1"}),
        (Within("tag", gt="a", lt="b"), {"b"}),
        (Within("tag", lt="a"), {"b", "d"}),
        (Within("when", gte=datetime(2020, 1, 5, tzinfo=UTC), lt=datetime(2020, 1, 6, tzinfo=UTC)), {"a"}),
        (Within("when", lt=datetime(2020, 1, 5, 10, tzinfo=UTC)), set()),
        (Within("odd - key: *?", gte='a "quoted" [TO] \\ {value}'), {"ü/1"}),
        (Within("odd - key: *?", lt='a "quoted" [TO] \\ {value}'), set()),
        (Exists("year"), {"a", "b", "d", "ü/1"}),
        (Exists("when"), {"a"}),
        (Exists("absent"), set()),
        (StartsWith("tag", "R"), {"b"}),
        (StartsWith("tag", ""), {"a", "b", "d"}),
        (Identified(("a", "ü/1", "zz")), {"a", "ü/1"}),
        (Identified(()), set()),
        (Combined(must=(Word("run"),), must_not=(Phrase(("runs",)),)), {"a"}),
        (Combined(any_of=(Word("nothing"), Word("water"))), {"d", "b"}),
        (Combined(must=(Word("run"),), any_of=(Word("nothing"), Word("water"))), {"b"}),
        (Combined(must=(Word("run"),), ranking=(Word("water"),)), {"a", "b"}),
        (Combined(ranking=(Word("water"),)), {"a", "b", "ü/1", "d"}),
        (Combined(where=(Exists("tag"),), must_not=(Identified(("a",)),)), {"b", "d"}),
        (Combined(must_not=(Word("run"),)), {"ü/1", "d"}),
        (Combined(any_of=(Combined(must=(Word("run"), Word("water"))), Word("nothing"))), {"b", "d"}),
    ],
)
def test_a_node_matches_what_it_says(searched: Searched, query: Query, expected: set[str]) -> None:
    assert searched.ids(query) == expected


@pytest.mark.parametrize(
    ("query", "score"),
    [
        (Everything(), 1.0),
        (Prefix("nothi"), 1.0),
        (Combined(where=(Word("nothing"),)), 1.0),
        (Combined(), 1.0),
        (Combined(must=(Everything(),), where=(Word("nothing"),)), 1.0),
        (Combined(must=(Everything(),), must_not=(Word("run"),)), 1.0),
        (Combined(must=(Prefix("he"),), where=(Word("nothing"),)), 1.0),
        (Combined(must=(Prefix("he"), Prefix("no"))), 2.0),
        (Combined(any_of=(Prefix("he"), Prefix("nothi"))), 2.0),
        (Combined(any_of=(Prefix("he"), Prefix("nothi")), ranking=(Prefix("no"),)), 3.0),
        (Combined(ranking=(Prefix("no"),)), 1.0),
        (Combined(must_not=(Word("run"),)), 1.0),
    ],
)
def test_constant_scores_add_up_as_the_tree_says(searched: Searched, query: Query, score: float) -> None:
    assert searched.scores(query)["d"] == pytest.approx(score)


@pytest.mark.parametrize("definition", [LOCAL, ARCHIVE])
def test_a_range_looks_up_a_bounded_number_of_terms_and_walks_over_none(definition: IndexDefinition) -> None:
    handle = open_or_create_index(definition, None)
    for within in (Within("n", gt=1 / 3), Within("n", gte=-1e308, lt=1e10 / 7)):
        compiled = repr(compile_query(Combined(where=(within,)), handle))
        assert "TermSetQuery" in compiled
        assert "Range" not in compiled


def test_a_corrected_word_scores_as_its_best_correction(searched: Searched) -> None:
    alone = searched.scores(Word("water"))
    assert searched.scores(Corrected("watr", ("water",))) == pytest.approx(alone)
    assert searched.scores(Corrected("watr", ("water", "water")))["b"] == pytest.approx(alone["b"])


def test_words_score_by_bm25_and_conditions_add_nothing(searched: Searched) -> None:
    alone = searched.scores(Word("water"))["b"]
    assert alone > 0.1
    assert searched.scores(Combined(must=(Word("water"),), where=(Exists("tag"),)))["b"] == pytest.approx(alone)


def test_a_rare_word_scores_above_a_frequent_one(searched: Searched) -> None:
    assert searched.scores(Word("water"))["b"] > searched.scores(Word("over"))["b"]


def test_an_index_without_a_language_matches_words_as_written() -> None:
    searched = Searched(Analysis(language="none"))
    assert searched.ids(Word("running")) == {"a", "b"}
    assert searched.ids(Word("run")) == set()


def test_an_index_that_keeps_case_tells_cases_apart() -> None:
    searched = Searched(Analysis(lowercase=False))
    assert searched.ids(Phrase(("Straße",))) == {"a"}
    assert searched.ids(Phrase(("straße",))) == set()


def test_an_explanation_names_the_words_and_their_shares(searched: Searched) -> None:
    query = compile_query(Combined(must=(Word("water"), Word("run")), where=(Exists("tag"),)), searched.handle)
    ((score, address),) = searched.searcher.search(query, limit=10).hits
    told = explain(query, searched.searcher, address)
    assert told.startswith(f"{score:.4g} = sum of [")
    assert "'water' (idf" in told
    assert "'run' (idf" in told
    assert "\n" not in told
