"""The parts of a query that add to a score, the same for both engines: an engine scores each part on its own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, assert_never

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

PartKind = Literal["word", "phrase", "prefix", "fuzzy", "filter", "other"]
"""What a part of a query is. `fuzzy`: a word in place of a misspelt one; `other`: `*`, which matches everything."""


@dataclass(frozen=True, slots=True)
class ScorePart:
    """A part of the query that a hit matches, and what it adds to the score."""

    what: str
    """The word or phrase, the beginning of a word with `*`, or the field of a filter."""
    kind: PartKind
    score: float


_EVERYTHING: Final = ScorePart("*", "other", 1.0)


@dataclass(frozen=True, slots=True)
class QueryPart:
    """A part of a query, and the query that it is by itself."""

    what: str
    kind: PartKind
    query: Query


def query_parts(query: Query) -> list[QueryPart]:
    """Return the different parts that can add to the score of a hit."""
    return list(dict.fromkeys(part for alternatives in _alternatives(query) for part in alternatives))


def score_parts(query: Query, scores: Mapping[QueryPart, float]) -> tuple[ScorePart, ...]:
    """Return the parts of a hit, given the scores of those that it matches; what occurs twice is one part."""
    totals: dict[tuple[str, PartKind], float] = {}
    all_alternatives = list(_alternatives(query))
    for alternatives in all_alternatives:
        matching = [(scores[part], part) for part in alternatives if part in scores]
        if matching:
            score, best = max(matching, key=lambda scored: scored[0])
            totals[best.what, best.kind] = totals.get((best.what, best.kind), 0.0) + score
    found = [ScorePart(what, kind, score) for (what, kind), score in totals.items()]
    found.sort(key=lambda part: -part.score)
    return (*(found if all_alternatives else [_EVERYTHING]), *_filters(query))


def _alternatives(query: Query) -> Iterator[tuple[QueryPart, ...]]:
    """Yield the parts of a query; of several corrections of one word, the best counts."""
    match query:
        case Word(token):
            yield (QueryPart(token, "word", query),)
        case Phrase(tokens):
            yield (QueryPart(" ".join(tokens), "phrase", query),)
        case Prefix(token):
            yield (QueryPart(f"{token}*", "prefix", query),)
        case Corrected(_, corrections):
            yield tuple(QueryPart(token, "fuzzy", Word(token)) for token in corrections)
        case Combined(must, any_of, ranking):
            for part in (*must, *any_of, *ranking):
                yield from _alternatives(part)
        case Everything() | Nothing() | AnyValue() | Within() | Exists() | StartsWith() | Identified():
            return
        case _:
            assert_never(query)


def _filters(query: Query) -> Iterator[ScorePart]:
    """Yield the filters, which every hit matches."""
    if isinstance(query, Combined):
        for field in dict.fromkeys(field for condition in query.where for field in _fields(condition)):
            yield ScorePart(field, "filter", 0.0)


def _fields(condition: Query) -> Iterator[str]:
    match condition:
        case AnyValue(field) | Within(field) | Exists(field) | StartsWith(field):
            yield field
        case Combined(must, any_of, ranking, where, must_not):
            for part in (*must, *any_of, *ranking, *where, *must_not):
                yield from _fields(part)
        case _:
            return
