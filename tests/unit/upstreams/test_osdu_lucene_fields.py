"""Which fields a query names, and where it cannot be read."""

import pytest

from mcp_server.lucene.syntax import fields_of
from mcp_server.lucene.tokens import SyntaxProblem


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("", []),
        ("well log", []),
        ("data.A:1 AND (data.B:2 OR data.A:3)", ["data.A", "data.B"]),
        ("_exists_:data.A", ["data.A"]),
        ("data\\.A:x", ["data.A"]),
        ("data.\\*:x *:*", ["data.*", "*"]),
        ("data.A:(x y)", ["data.A"]),
        ('"a:b"', []),
        ("/a:b/", []),
        ("[a:b TO c]", []),
    ],
)
def test_the_fields_of_a_query_are_named_once_each(query: str, fields: list[str]) -> None:
    assert fields_of(query) == fields


@pytest.mark.parametrize(
    ("query", "position"),
    [
        ('a "b', 2),
        ("a /b", 2),
        ("a\\", 1),
        ("^2 a", 0),
        ("a^x", 2),
        ("(a b", 0),
        ("a (b (c)", 2),
        ("a)", 1),
        ("a]", 1),
        ("a:b:c", 3),
        ("[a TO b", 7),
        ("[a TO", 0),
        ("[", 0),
        ("[a b]", 3),
        ("a OR", 4),
        ("OR a", 0),
        ("\\u12x4", 0),
        ("ab \\u12", 3),
        ("[a\\ TO b]", 2),
        ("~2", 0),
        ("()", 1),
    ],
)
def test_a_query_that_cannot_be_read_is_told_with_its_place(query: str, position: int) -> None:
    with pytest.raises(SyntaxProblem) as problem:
        fields_of(query)
    assert problem.value.position == position
    assert problem.value.what


def test_long_hostile_queries_are_read_in_a_blink() -> None:
    for query in ("(" * 9_999, '"' * 9_999, "/" * 9_999, "\\" * 9_999, "[" * 9_999, "a:" * 4_999, "~" * 9_999):
        with pytest.raises(SyntaxProblem):
            fields_of(query)
    fields_of("a " * 5_000)
