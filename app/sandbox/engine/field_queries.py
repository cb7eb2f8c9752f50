"""Queries on one field: terms, phrases, patterns, ranges and existence. They match what Elasticsearch's match."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf, log
from typing import Any, Final

from app.sandbox.engine.analysis import terms
from app.sandbox.engine.dates import milliseconds
from app.sandbox.engine.documents import Documents
from app.sandbox.engine.mapping import Field
from app.sandbox.engine.marks import Mark, Marks, phrases
from app.sandbox.engine.matches import Matches, best_of, boosted, combine, constant
from app.sandbox.engine.patterns import Pattern
from indexer.schema.analysis import lowered
from indexer.text.edit_distance import edits_between

_K1: Final = 1.2
_B: Final = 0.75
_EXACT_LENGTHS: Final = 24
_KEPT_BITS: Final = 4
_MAX_EXPANSIONS: Final = 50
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z")


class WrongType(ValueError):
    """A value or a kind of query that does not fit the type of its field."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents that a query searches, and what it marks in them."""

    documents: Documents
    marks: Marks = field(default_factory=Marks)

    def field(self, name: str) -> Field | None:
        return self.documents.mapping.fields.get(name)


def term(scope: Scope, name: str, value: Any) -> Matches:
    """Match a value as it is, without analysis."""
    kind = scope.field(name)
    if kind is None:
        return {}
    text = str(value).lower() if isinstance(value, bool) else str(value)
    match kind.type:
        case "text":
            scope.marks.add(name, Mark((frozenset({text}),)))
            return _term_scores(scope.documents, name, scope.documents.postings[name].get(text, {}))
        case "keyword" | "join":
            return constant(scope.documents.postings[name].get(text, ()))
        case "boolean":
            wanted = _boolean(text)
            values = scope.documents.values[name]
            found = [document for document, held in values.items() if wanted in held]
            return constant(found, _idf(len(values), len(found)) / (1 + _K1))
        case "geo_shape":
            raise WrongType(f"geometry fields do not support exact searching: [{name}]")
        case _:
            return between(scope, name, text, text)


def words(scope: Scope, name: str, text: str) -> Matches | None:
    """Match one of the words of a text; None where it has none."""
    kind = scope.field(name)
    if kind is None or kind.type != "text":
        return term(scope, name, text)
    found = [term(scope, name, each) for each in terms(text, kind.analyzer)]
    return combine(scope.documents.count, should=found) if found else None


def phrase(scope: Scope, name: str, text: str, slop: int = 0) -> Matches | None:
    """Match the words of a text in their order; None where it has none."""
    kind = scope.field(name)
    if kind is None or kind.type != "text":
        return term(scope, name, text)
    parts = terms(text, kind.analyzer)
    if len(parts) <= 1:
        return words(scope, name, text)
    scope.marks.add(name, Mark(tuple(frozenset({part}) for part in parts), slop))
    postings = [scope.documents.postings[name].get(part, {}) for part in parts]
    frequencies: dict[int, float] = {}
    for document in set(postings[0]).intersection(*postings[1:]):
        found = phrases([each[document] for each in postings], slop)
        if frequency := sum(1 / (1 + displacement) for _, displacement in found):
            frequencies[document] = frequency
    weight = sum(_idf(scope.documents.filled[name], len(each)) for each in postings)
    return _bm25(scope.documents, name, frequencies, weight)


def prefix(scope: Scope, name: str, text: str) -> Matches:
    """Match terms that begin with a text."""
    return _expanded(scope, name, "prefix", lambda each: each.startswith(text))


def pattern(scope: Scope, name: str, compiled: Pattern) -> Matches:
    """Match terms that a pattern matches as a whole."""
    return _expanded(scope, name, "wildcard", lambda each: compiled.fullmatch(each) is not None)


def fuzzy(scope: Scope, name: str, text: str, edits: int) -> Matches:
    """Match terms that differ from a text by few edits; closer ones score higher."""
    kind = _string_field(scope, name, "fuzzy")
    if kind is None:
        return {}
    close = {}
    for each in scope.documents.postings[name]:
        distance = edits_between(each, text, edits)
        if distance is not None:
            close[each] = 1 - distance / max(1, min(len(each), len(text)))
    nearest = sorted(close, key=lambda each: (-close[each], each))[:_MAX_EXPANSIONS]
    return best_of([boosted(term(scope, name, each), close[each]) for each in nearest])


def between(
    scope: Scope, name: str, low: Any, high: Any, *, includes_low: bool = True, includes_high: bool = True
) -> Matches:
    """Match values of a range; None stands for no limit."""
    kind = scope.field(name)
    if kind is None:
        return {}
    if kind.type in {"geo_shape", "join"}:
        raise WrongType(f"Field [{name}] does not support range queries")
    if kind.is_string:
        bounds = _string_bounds(low, high, includes_low=includes_low, includes_high=includes_high)
        return _expanded(scope, name, "range", bounds)
    low, high = _bound(kind, low, round_up=not includes_low), _bound(kind, high, round_up=includes_high)
    least, most = -inf if low is None else low, inf if high is None else high
    return constant(
        document
        for document, values in scope.documents.values[name].items()
        if any(
            (least <= value if includes_low else least < value) and (value <= most if includes_high else value < most)
            for value in values
        )
    )


def exists(scope: Scope, path: str) -> Matches:
    """Match documents that have the field, or a field of the object or pattern."""
    mapping = scope.documents.mapping
    names = mapping.matching(path) or mapping.within(path)
    return constant(set().union(*(scope.documents.having(name) for name in names)))


def normalized(scope: Scope, name: str, text: str) -> str:
    """Lowercase a pattern or a bound where the field's terms are lowercase."""
    kind = scope.field(name)
    return lowered(text) if kind is not None and kind.type == "text" else text


def _expanded(scope: Scope, name: str, query: str, matches: Callable[[str], bool]) -> Matches:
    """Match the terms of a field that fulfil a condition; all score alike."""
    if _string_field(scope, name, query) is None:
        return {}
    postings = scope.documents.postings[name]
    found = [each for each in postings if matches(each)]
    scope.marks.add(name, Mark((frozenset(found),)))
    return constant(set().union(*(postings[each] for each in found)))


def _string_field(scope: Scope, name: str, query: str) -> Field | None:
    kind = scope.field(name)
    if kind is not None and not kind.is_string:
        raise WrongType(f"Can only use {query} queries on keyword and text fields - not on [{name}]")
    return kind


def _string_bounds(low: Any, high: Any, *, includes_low: bool, includes_high: bool) -> Callable[[str], bool]:
    def holds(value: str) -> bool:
        above = low is None or value > str(low) or (includes_low and value == str(low))
        return above and (high is None or value < str(high) or (includes_high and value == str(high)))

    return holds


def _bound(kind: Field, value: Any, *, round_up: bool) -> float | None:
    if value is None:
        return None
    text = str(value).lower() if isinstance(value, bool) else str(value)
    match kind.type:
        case "date":
            try:
                return milliseconds(text, round_up=round_up)
            except (ValueError, OverflowError):
                raise WrongType(f"failed to parse date field [{text}]") from None
        case "boolean":
            return _boolean(text)
        case "long" | "double" if _NUMBER.match(text):
            return float(text)
        case _:
            raise WrongType(f'For input string: "{text}"')


def _boolean(text: str) -> bool:
    if text not in {"true", "false"}:
        raise WrongType(f"Can't parse boolean value [{text}], expected [true] or [false]")
    return text == "true"


def _term_scores(documents: Documents, name: str, posting: Mapping[int, list[int]]) -> Matches:
    frequencies = {document: len(positions) for document, positions in posting.items()}
    return _bm25(documents, name, frequencies, _idf(documents.filled[name], len(posting)))


def _idf(documents: int, matching: int) -> float:
    return log(1 + (documents - matching + 0.5) / (matching + 0.5))


def _bm25(documents: Documents, name: str, frequencies: Mapping[int, float], weight: float) -> Matches:
    lengths = documents.lengths[name]
    average = documents.token_counts[name] / max(1, documents.filled[name])
    return {
        document: weight - weight / (1 + frequency / (_K1 * (1 - _B + _B * _kept_length(lengths[document]) / average)))
        for document, frequency in frequencies.items()
    }


def _kept_length(length: int) -> int:
    """Return a length as Lucene keeps it in one byte: long ones lose their last bits."""
    rest = length - _EXACT_LENGTHS
    if rest < 0:
        return length
    shift = max(rest.bit_length() - _KEPT_BITS, 0)
    return _EXACT_LENGTHS + (rest >> shift << shift)
