"""Queries from parts: whatever a value is, it stays one value."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from indexer.errors import Invalid
from mcp_server.features.osdu.arguments import BuildQuery
from mcp_server.features.osdu.query.building import build_query, id_query
from mcp_server.lucene.syntax import fields_of, unescaped
from mcp_server.lucene.tokens import tokens

TEXT = st.text(
    st.one_of(st.sampled_from('"\\*?:()[]{}/+-!&|^~ \t\n\u3000uTONDAR01'), st.characters(exclude_categories=["Cs"]))
).filter(lambda text: bool(text.strip()))
STEADY = settings(deadline=None, derandomize=True, max_examples=300)


def built(*clauses: dict[str, Any], combine: str = "and") -> str:
    return build_query(BuildQuery.model_validate({"clauses": list(clauses), "combine": combine}))["query"]


def one(op: str, value: Any = None, field: str = "data.Name") -> str:
    return built({"field": field, "op": op, "value": value})


@pytest.mark.parametrize(
    ("op", "value", "query"),
    [
        ("eq", "A34", 'data.Name:"A34"'),
        ("eq", 'a"b\\', 'data.Name:"a\\"b\\\\"'),
        ("eq", 5, "data.Name:5"),
        ("eq", -5.5, 'data.Name:"-5.5"'),
        ("eq", True, "data.Name:true"),
        ("ne", "x", '(*:* AND NOT data.Name:"x")'),
        ("in", ["a", 1], 'data.Name:("a" OR 1)'),
        ("gte", 1000, "data.Name:[1000 TO *]"),
        ("lte", "2020-01-01", 'data.Name:[* TO "2020-01-01"]'),
        ("between", [1, 5], "data.Name:[1 TO 5]"),
        ("prefix", "A 3", "data.Name:A\\ 3*"),
        ("contains", "off", "data.Name:*off*"),
        ("contains", "off shore", 'data.Name:"off shore"'),
        ("exists", None, "_exists_:data.Name"),
        ("exists", True, "_exists_:data.Name"),
        ("exists", False, "(*:* AND NOT _exists_:data.Name)"),
    ],
)
def test_every_operator_is_written(op: str, value: Any, query: str) -> None:
    assert one(op, value) == query


@pytest.mark.parametrize(
    ("clause", "query"),
    [
        ({"op": "eq", "value": "A34", "boost": 3}, 'data.Name:"A34"^3'),
        ({"op": "eq", "value": 5, "boost": 2.5}, "data.Name:5^2.5"),
        ({"op": "ne", "value": "x", "boost": 2}, '(*:* AND NOT data.Name:"x")^2'),
        ({"op": "in", "value": ["a", "b"], "boost": 100}, 'data.Name:("a" OR "b")^100'),
        ({"op": "gte", "value": 1000, "boost": 0.01}, "data.Name:[1000 TO *]^0.01"),
        ({"op": "between", "value": ["a", "b"], "boost": 3}, 'data.Name:["a" TO "b"]^3'),
        ({"op": "prefix", "value": "A", "boost": 3}, "data.Name:A*^3"),
        ({"op": "contains", "value": "A", "boost": 3}, "data.Name:*A*^3"),
        ({"op": "exists", "boost": 1.0}, "_exists_:data.Name^1"),
        ({"op": "exists", "boost": None}, "_exists_:data.Name"),
    ],
)
def test_a_boost_follows_its_condition(clause: dict[str, Any], query: str) -> None:
    assert built({"field": "data.Name", **clause}) == query
    assert fields_of(query)[-1] == "data.Name"


@pytest.mark.parametrize("boost", [0, 0.009, 101, -1, float("nan"), float("inf"), "101"])
def test_a_boost_out_of_range_is_refused(boost: Any) -> None:
    with pytest.raises(ValidationError):
        built({"field": "data.Name", "op": "eq", "value": "x", "boost": boost})


@STEADY
@given(TEXT, st.floats(0.01, 100))
def test_any_boost_is_a_number_to_lucene(text: str, boost: float) -> None:
    query = built({"field": "data.Name", "op": "eq", "value": text, "boost": boost})
    *_, caret, number, end = tokens(query)
    assert (caret.kind, number.kind, end.kind) == ("CARAT", "NUMBER", "EOF")
    assert float(number.text) == pytest.approx(boost, rel=1e-5)


def test_conditions_are_combined_and_exact_fields_take_wildcards_with_blanks() -> None:
    first = {"field": "a", "op": "eq", "value": "x"}
    second = {"field": "b.keyword", "op": "contains", "value": "off shore"}
    assert built(first, second) == 'a:"x" AND b.keyword:*off\\ shore*'
    assert built(first, second, combine="or") == 'a:"x" OR b.keyword:*off\\ shore*'


def test_a_field_named_like_an_operator_is_a_field() -> None:
    assert fields_of(one("eq", "x", "AND")) == ["AND"]
    assert fields_of(one("eq", "x", "my field:(a)")) == ["my field:(a)"]


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("eq", None),
        ("eq", ["a"]),
        ("eq", float("nan")),
        ("in", []),
        ("in", "a"),
        ("in", [{}]),
        ("gte", True),
        ("gte", ""),
        ("between", [1]),
        ("between", 1),
        ("prefix", " "),
        ("prefix", 5),
        ("exists", "yes"),
        ("exists", []),
        ("eq", "\ud800"),
    ],
)
def test_values_that_an_operator_cannot_take_are_refused(op: str, value: Any) -> None:
    with pytest.raises(Invalid):
        one(op, value)


@pytest.mark.parametrize("field", ["", " ", "data.*", "a?"])
def test_a_field_must_be_a_name(field: str) -> None:
    with pytest.raises(Invalid):
        one("eq", "x", field)


@STEADY
@given(TEXT)
def test_any_text_stays_one_phrase(text: str) -> None:
    field, colon, phrase, end = tokens(one("eq", text))
    assert (field.kind, colon.kind, phrase.kind, end.kind) == ("TERM", "COLON", "QUOTED", "EOF")
    assert unescaped(phrase.text[1:-1], 0) == text


@STEADY
@given(TEXT, TEXT)
def test_any_two_texts_stay_the_limits_of_one_range(low: str, high: str) -> None:
    kinds = [token.kind for token in tokens(one("between", [low, high]))]
    ends = ["RANGE_START", "RANGE_QUOTED", "RANGE_TO", "RANGE_QUOTED", "RANGE_END", "EOF"]
    assert kinds == ["TERM", "COLON", *ends]
    values = [token.text for token in tokens(one("between", [low, high])) if token.kind == "RANGE_QUOTED"]
    assert [unescaped(value[1:-1], 0) for value in values] == [low, high]


@STEADY
@given(TEXT)
def test_any_prefix_stays_one_word(text: str) -> None:
    field, colon, word, end = tokens(one("prefix", text))
    assert (field.kind, colon.kind, end.kind) == ("TERM", "COLON", "EOF")
    assert word.kind in {"PREFIX", "WILD"}
    assert unescaped(word.text[:-1], 0) == text


@STEADY
@given(TEXT, TEXT)
def test_any_field_stays_a_field(field: str, text: str) -> None:
    if {"*", "?"} & set(field):
        return
    assert fields_of(one("eq", text, field)) == [field]


@STEADY
@given(TEXT)
def test_any_id_stays_one_id(text: str) -> None:
    found = [token.kind for token in tokens(id_query(text))]
    assert found[:3] == ["TERM", "COLON", "LPAREN"]
    assert found[4:] == ["RPAREN", "EOF"]
    assert found[3] in ({"WILD", "PREFIX", "STAR"} if {"*", "?"} & set(text) else {"QUOTED"})
    assert fields_of(id_query(text)) == ["id"]


def test_a_blank_id_is_refused() -> None:
    with pytest.raises(Invalid, match="blank"):
        id_query("  ")
