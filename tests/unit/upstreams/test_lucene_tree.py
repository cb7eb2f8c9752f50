"""What the parser makes of a query: fields, signs, operators, boosts and places."""

import pytest

from mcp_server.lucene.syntax import parse
from mcp_server.lucene.tree import Clause, Group, Node, Range, Term


def only(query: str) -> Node:
    (clause,) = parse(query).clauses
    return clause.node


@pytest.mark.parametrize(
    ("query", "node"),
    [
        ("well", Term("word", "well")),
        (r"data.Name:a\:b", Term("word", r"a\:b", "data.Name")),
        ('"a \\" b"~2^3', Term("phrase", 'a \\" b', None, "2", 3.0)),
        ("roam~^0", Term("word", "roam", None, "", 0.0)),
        ("roam^2~1", Term("word", "roam", None, "1", 2.0)),
        ("wel*", Term("prefix", "wel")),
        ("w?l*", Term("wildcard", "w?l*")),
        ("*", Term("wildcard", "*")),
        ("*:*", Term("wildcard", "*", "*")),
        ("/a+b/", Term("regex", "a+b")),
        ("- x", None),
        ("x:[1 TO *}", Range("1", "*", includes_low=True, includes_high=False, field="x")),
        ('{"a b" TO c]^2', Range("a b", "c", includes_low=False, includes_high=True, boost=2.0)),
    ],
)
def test_a_term_keeps_its_text_and_what_is_said_of_it(query: str, node: Node | None) -> None:
    if node is None:
        assert [each.node for each in parse(query).clauses] == [Term("word", "-"), Term("word", "x")]
    else:
        assert only(query) == node


def test_clauses_have_their_operators_signs_and_places() -> None:
    query = "a && !data.B:(c -d)^2 OR +e"
    first, second, third = parse(query).clauses
    assert first == Clause(Term("word", "a"), start=0, end=1, field_end=0)
    assert (second.operator, second.sign, query[second.start : second.end]) == ("AND", "-", "data.B:(c -d)^2")
    assert query[second.start : second.field_end] == "data.B"
    assert isinstance(second.node, Group)
    assert (second.node.field, second.node.boost) == ("data.B", 2.0)
    assert [each.sign for each in second.node.clauses] == ["", "-"]
    assert (third.operator, third.sign, query[third.start : third.end]) == ("OR", "+", "e")
