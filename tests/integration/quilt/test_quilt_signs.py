"""A query is taken apart as the catalog's own parser reads it."""

from random import Random

import pytest

from mcp_server.features.quilt.elasticsearch.lucene_clauses import Clauses, split_clauses
from tests.upstreams.quilt import QuiltServer
from tests.upstreams.quilt_caller import Caller, found
from tests.upstreams.quilt_routes import take

WORDS = ("salmon", "pike", "river", "smith", "team1", "jones", '"set 5"', "revis*", "2021")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b", Clauses(("a", "b"), (), ())),
        ("+a -b !c d", Clauses(("d",), ("a",), ("b", "c"))),
        ("a AND b OR c", Clauses(("c",), ("a", "b"), ())),
        ("a AND NOT b", Clauses((), ("a",), ("b",))),
        ('NOT "a b"~2 c^2', Clauses(("c^2",), (), ('"a b"~2',))),
        (r"x:y -z:\"w a\:b", Clauses(("x:y", r"a\:b"), (), (r"z:\"w",))),
        ('-name:"a (b"', Clauses((), (), ('name:"a (b"',))),
        ("(a b) c", Clauses(("(a b)", "c"), (), ())),
        ("+x:[1 TO 2]", Clauses((), ("x:[1 TO 2]",), ())),
        ('a -(b "c )" (d))', Clauses(("a",), (), ('(b "c )" (d))',))),
    ],
)
def test_clauses_have_their_signs(text: str, expected: Clauses) -> None:
    assert split_clauses(text) == expected


def question(random: Random, depth: int = 1) -> str:
    parts = []
    for number in range(random.randint(1, 3)):
        if number:
            parts.append(random.choice(("", "", "AND", "OR", "AND NOT", "NOT")))
        sign = "" if parts and parts[-1].endswith("NOT") else random.choice(("", "", "", "+", "-"))
        grouped = f"({question(random, depth - 1)})" if depth and random.random() < 0.3 else random.choice(WORDS)
        parts.append(sign + grouped)
    return " ".join(part for part in parts if part)


async def test_packages_of_both_ages_are_found_by_the_same_signs(quilt: QuiltServer, call: Caller) -> None:
    random = Random(7)
    questions = [question(random) for _ in range(40)]
    told = []
    for route in ("graphql-3", "elasticsearch-joined", "elasticsearch-flat"):
        take(quilt, route)
        await call("*", refresh=True)
        told.append([sorted(found(await call(text, scope="package", limit=100))) for text in questions])
    for text, *answers in zip(questions, *told, strict=True):
        assert answers[0] == answers[1] == answers[2], text
    assert len({len(answer) for answer in told[0]}) > 5, "they ask for different things"
