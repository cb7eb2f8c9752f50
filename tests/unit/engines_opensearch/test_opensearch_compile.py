import pytest

from indexer.engines.opensearch.search.compile import compile_query
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
from indexer.schema.metadata_terms import key_terms, prefix_term, range_bounds, value_term
from indexer.schema.range_codes import range_terms

PYTHON = {"match": {"text": {"query": "python", "boost": 2.2}}}
FAST = {"match": {"text": {"query": "fast", "boost": 2.2}}}
YEAR = {"terms": {"kv": [value_term("year", 2020.0)]}}
ALL: dict[str, dict[str, object]] = {"match_all": {}}


@pytest.mark.parametrize(
    ("query", "compiled"),
    [
        (Everything(), ALL),
        (Nothing(), {"match_none": {}}),
        (Word("python"), PYTHON),
        (Phrase(("rate",)), {"match": {"text.exact": {"query": "rate", "boost": 2.2}}}),
        (Phrase(("rate", "limiting")), {"match_phrase": {"text.exact": {"query": "rate limiting", "boost": 2.2}}}),
        (AnyValue("year", (2020.0,)), YEAR),
        (Exists("year"), {"terms": {"keys": list(key_terms("year"))}}),
        (Identified(("a", "b")), {"ids": {"values": ["a", "b"]}}),
        (
            StartsWith("path", "a/"),
            {"prefix": {"kv": {"value": prefix_term("path", "a/"), "rewrite": "constant_score"}}},
        ),
    ],
)
def test_each_simple_node_has_its_query(query: Query, compiled: object) -> None:
    assert compile_query(query).to_dict() == compiled


def test_a_prefix_scores_one_whatever_it_stands_for() -> None:
    inner = {"prefix": {"text.exact": {"value": "wor", "rewrite": "constant_score"}}}
    assert compile_query(Prefix("wor")).to_dict() == {"constant_score": {"filter": inner, "boost": 1}}


def test_a_corrected_word_scores_as_its_best_correction() -> None:
    words = [{"match": {"text": {"query": word, "boost": 2.2}}} for word in ("word", "ward")]
    assert compile_query(Corrected("wrod", ("word", "ward"))).to_dict() == {"dis_max": {"queries": words}}


def test_a_range_keeps_to_the_type_of_its_bounds() -> None:
    bounds = range_bounds("year", gt=2020.0)
    compiled = compile_query(Within("year", gt=2020.0)).to_dict()
    assert compiled == {"range": {"kv": {"gt": bounds.lower, "lte": bounds.upper}}}


def test_a_range_on_an_index_with_range_codes_is_a_set_of_terms_wherever_it_stands() -> None:
    node = Within("year", gt=2020.0)
    terms = {"terms": {"ranges": range_terms("year", gt=2020.0)}}
    assert compile_query(node, range_codes=True).to_dict() == terms
    excluded = Combined(must=(Word("python"),), must_not=(Combined(any_of=(node,)),))
    assert compile_query(excluded, range_codes=True).to_dict()["bool"]["must_not"] == [
        {"bool": {"should": [terms], "minimum_should_match": 1}}
    ]


def test_a_range_of_strings_is_one_of_terms_on_every_index() -> None:
    node = Within("name", gte="a", lt="b")
    assert compile_query(node, range_codes=True) == compile_query(node)


@pytest.mark.parametrize(
    ("query", "clauses"),
    [
        (Combined(), {"must": [ALL]}),
        (Combined(must=(Word("python"),)), {"must": [PYTHON]}),
        (Combined(any_of=(Word("python"), Word("fast"))), {"should": [PYTHON, FAST], "minimum_should_match": 1}),
        (
            Combined(must=(Word("python"),), ranking=(Word("fast"),)),
            {"must": [PYTHON], "should": [FAST], "minimum_should_match": 0},
        ),
        (
            Combined(any_of=(Word("python"),), ranking=(Word("fast"),)),
            {
                "must": [{"bool": {"should": [PYTHON], "minimum_should_match": 1}}],
                "should": [FAST],
                "minimum_should_match": 0,
            },
        ),
        (Combined(ranking=(Word("fast"),)), {"filter": [ALL], "should": [FAST], "minimum_should_match": 0}),
        (
            Combined(where=(AnyValue("year", (2020.0,)),), must_not=(Word("fast"),)),
            {"must": [ALL], "filter": [YEAR], "must_not": [FAST]},
        ),
    ],
)
def test_combinations_keep_their_meaning(query: Combined, clauses: object) -> None:
    assert compile_query(query).to_dict() == {"bool": clauses}
