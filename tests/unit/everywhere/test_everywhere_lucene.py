"""Queries of local syntax as Lucene's."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.errors import Invalid
from mcp_server.features.osdu.query.checks import check_query
from mcp_server.lucene.clauses import lucene
from mcp_server.search_source import question


def written(query: str) -> str:
    return lucene(question(query, 10).clauses)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("reef", '"reef"'),
        ("reef coral", '("reef" OR "coral")'),
        ("+reef coral", '"reef" AND (*:* OR "coral")'),
        ("+reef +coral", '"reef" AND "coral"'),
        ('"deep reef" coral', '"deep reef" AND (*:* OR "coral")'),
        ("reef -coral", '"reef" AND NOT "coral"'),
        ("-coral", '*:* AND NOT "coral"'),
        ('-"dead coral" reef', '"reef" AND NOT "dead coral"'),
        ("ree*", "ree*"),
        ("rate-lim*", r"rate\-lim*"),
        ("r*", '"r"'),
        ("*", "*:*"),
        ("* reef", '"reef"'),
        ("rate-limiting", '"rate-limiting"'),
        ("— reef", '"reef"'),
    ],
)
def test_clauses_keep_their_meaning(query: str, expected: str) -> None:
    assert written(query) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("AND", '"AND"'),
        ("data.Name:x", '"data.Name:x"'),
        ("[1 TO 5}", '("[1" OR "TO" OR "5}")'),
        ("a/b/c", '"a/b/c"'),
        (r"c:\temp", r'"c:\\temp"'),
        ("_exists_:id", '"_exists_:id"'),
        ("(reef", '"(reef"'),
        ("x~2 y^3", '("x~2" OR "y^3")'),
    ],
)
def test_what_means_something_in_lucene_stays_text(query: str, expected: str) -> None:
    assert written(query) == expected


@settings(derandomize=True, deadline=None, database=None, max_examples=300)
@given(st.text(st.sampled_from('ab Ω"\\+-*()[]{}:/~^&|!?.,ORANDT\u00e9\u3042'), max_size=40))
def test_whatever_is_typed_becomes_a_query_that_names_no_field_of_theirs(query: str) -> None:
    asked = question(query, 10)
    if not asked.is_blank:
        assert set(check_query(lucene(asked.clauses))) <= {"*"}


@pytest.mark.parametrize("query", ["", "   ", "?!", "—", "+ -", '""'])
def test_a_query_without_a_word_is_blank(query: str) -> None:
    assert question(query, 10).is_blank


@pytest.mark.parametrize("query", ["*", "reef", "-reef", "r*", '"reef"', "海"])
def test_a_query_with_a_word_or_for_everything_is_not_blank(query: str) -> None:
    assert not question(query, 10).is_blank


def test_hidden_characters_are_no_part_of_a_query() -> None:
    assert written("re\u200bef") == '"reef"'


@pytest.mark.parametrize("query", ["x" * 2_001, "x " * 65, "a\x00b"])
def test_the_limits_are_those_of_local_queries(query: str) -> None:
    with pytest.raises(Invalid):
        question(query, 10)
