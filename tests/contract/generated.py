"""Generated documents, the same in every run, and strategies for queries over them."""

import random
from typing import Any

from hypothesis import strategies as st

from tests.contract.model import VOCABULARY, ModelClause, ModelDocument, ModelQuery

_WORDS = sorted(VOCABULARY)
_YEARS: list[Any] = [1999, 2020, 2020.0, 2020.5, -3, "2020", True, None]
_TAGS: list[Any] = ["red", "Red", "green", "a b", "", "naïve", 7, {"deep": "red"}]
_DATES: list[Any] = ["2020-01-05", "2020-01-05T10:00:00Z", "2020-01-05T23:30:00-02:00", "2020-01-06T01:00", "soon"]
FIELDS = ("year", "tag", "when", "flag")


def documents(count: int, seed: int = 7) -> list[ModelDocument]:
    """Make up documents of a few words each, with values of any type in their metadata."""
    chance = random.Random(seed)
    return [
        ModelDocument(f"d{number:03}", tuple(chance.choices(_WORDS, k=chance.randint(1, 7))), _metadata(chance))
        for number in range(count)
    ]


def content(document: ModelDocument) -> str:
    """Write the words down; a full stop keeps a document of strange words from being blank."""
    return " ".join(document.written) + "."


def queries() -> st.SearchStrategy[ModelQuery]:
    return st.builds(
        ModelQuery,
        clauses=st.lists(_clauses(), min_size=1, max_size=3).map(tuple),
        filters=st.one_of(st.just({}), st.dictionaries(st.sampled_from(FIELDS), _conditions(), max_size=2)),
        fuzzy=st.booleans(),
    )


def _metadata(chance: random.Random) -> dict[str, Any]:
    given = {
        "year": chance.choice(_YEARS),
        "tag": chance.choice([chance.choice(_TAGS), chance.sample(_TAGS, 3)]),
        "when": chance.choice(_DATES),
        "flag": chance.choice([True, False]),
    }
    return {name: value for name, value in given.items() if chance.random() < 0.7}


def _clauses() -> st.SearchStrategy[ModelClause]:
    signs = st.sampled_from(["", "", "+", "-"])
    words = st.sampled_from(_WORDS)
    typed = words.filter(lambda word: word != "…")
    long_enough = [word for word in _WORDS if VOCABULARY[word] and len(VOCABULARY[word][0]) > 2]
    return st.one_of(
        st.builds(ModelClause, signs, st.just("word"), st.tuples(typed)),
        st.builds(ModelClause, signs, st.just("phrase"), st.lists(words, min_size=1, max_size=3).map(tuple)),
        st.builds(
            ModelClause, signs, st.just("prefix"), st.tuples(st.sampled_from(long_enough)), st.sampled_from([2, 3, 4])
        ),
    )


def _conditions() -> st.SearchStrategy[Any]:
    number = st.sampled_from([1999, 2020, 2020.0, 2020.25, -3, 0])
    day = st.sampled_from(["2020-01-05", "2020-01-06", "2020-01-05T10:00:00Z", "2020-01-06T01:30:00Z"])
    text = st.sampled_from(["red", "Red", "2020", "a", "soon", "naïve"])
    scalar = st.one_of(number, day, text, st.booleans())
    some = st.one_of(scalar, st.lists(scalar, min_size=1, max_size=3))
    bounds = st.sampled_from(["gte", "gt", "lte", "lt"])
    ranges = st.one_of(*(st.dictionaries(bounds, of, min_size=1, max_size=2) for of in (number, day, text)))
    return st.one_of(
        some, some.map(lambda value: {"not": value}), st.booleans().map(lambda value: {"exists": value}), ranges
    )
