"""What a query means, said once more in plain Python over a small vocabulary: independent of parser and engines."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

VOCABULARY: Mapping[str, tuple[str, ...]] = {
    "boat": ("boat",),
    "boats": ("boats",),
    "Boating": ("boating",),
    "goat": ("goat",),
    "sail": ("sail",),
    "sailing": ("sailing",),
    "harbour": ("harbour",),
    "harbours": ("harbours",),
    "habrour": ("habrour",),
    "lighthouse": ("lighthouse",),
    "lihgthuose": ("lihgthuose",),
    "rate-limiting": ("rate", "limiting"),
    "don't": ("don",),
    "x": (),
    "NAÏVE": ("naïve",),
    "ΣΟΦΟΣ": ("σοφοσ",),
    "日本": ("日", "本"),
    "日": ("日",),
    "2020": ("2020",),
    "snake_case": ("snake_case",),
    "…": (),
}
"""How each written word is split; `x` is too short."""

STEMS: Mapping[str, str] = {
    "boats": "boat",
    "boating": "boat",
    "sailing": "sail",
    "harbours": "harbour",
    "limiting": "limit",
    "lighthouse": "lighthous",
    "lihgthuose": "lihgthuos",
}
"""Words whose English stem is another; all others stay as they are."""


@dataclass(frozen=True)
class ModelDocument:
    """A document as generated: written words and metadata."""

    id: str
    written: tuple[str, ...]
    metadata: dict[str, Any]

    @property
    def tokens(self) -> list[str]:
        return [token for word in self.written for token in VOCABULARY[word]]


@dataclass(frozen=True)
class ModelClause:
    """A clause as generated; a prefix is of the first letters of its only word."""

    sign: Literal["", "+", "-"]
    kind: Literal["word", "phrase", "prefix"]
    written: tuple[str, ...]
    letters: int = 0

    def text(self) -> str:
        if self.kind == "phrase":
            return f'{self.sign}"{" ".join(self.written)}"'
        if self.kind == "prefix":
            return f"{self.sign}{self.prefix}*"
        return f"{self.sign}{self.written[0]}"

    @property
    def prefix(self) -> str:
        return VOCABULARY[self.written[0]][0][: self.letters]

    @property
    def tokens(self) -> list[str]:
        return [token for word in self.written for token in VOCABULARY[word]]


@dataclass(frozen=True)
class ModelQuery:
    """Clauses, filters and whether words may be misspelt, which changes nothing: each occurs in a document."""

    clauses: tuple[ModelClause, ...]
    filters: dict[str, Any] = field(default_factory=dict)
    fuzzy: bool = False

    def text(self) -> str:
        return " ".join(clause.text() for clause in self.clauses)


def matching(query: ModelQuery, documents: Sequence[ModelDocument]) -> set[str]:
    """Return the ids that the query must find."""
    clauses = [clause for clause in query.clauses if clause.tokens]
    if not clauses:
        return set()
    tests = {id(clause): _clause_test(clause) for clause in clauses}
    must = [c for c in clauses if c.sign == "+" or (c.kind == "phrase" and c.sign != "-")]
    must_not = [c for c in clauses if c.sign == "-"]
    free = [c for c in clauses if c.sign == "" and c.kind != "phrase"]
    return {
        document.id
        for document in documents
        if all(tests[id(clause)](document.tokens) for clause in must)
        and not any(tests[id(clause)](document.tokens) for clause in must_not)
        and (must or not free or any(tests[id(clause)](document.tokens) for clause in free))
        and all(_holds(document.metadata.get(name), condition) for name, condition in query.filters.items())
    }


def facet(name: str, found: set[str], documents: Sequence[ModelDocument]) -> list[dict[str, Any]]:
    """Return the ten biggest values of a field among the documents found."""
    counts: dict[tuple[int, Any], int] = {}
    for document in documents:
        if document.id in found:
            for value in {_typed(value) for value in _values(document.metadata.get(name))}:
                counts[value] = counts.get(value, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [{"value": value, "count": count} for (_, value), count in ordered[:10]]


def in_order(name: str, found: set[str], documents: Sequence[ModelDocument], *, descending: bool) -> list[str]:
    """Return the found ids sorted by a field of one value and type, missing ones last, ties by id."""
    values: dict[str, Any] = {
        document.id: document.metadata.get(name) for document in documents if document.id in found
    }
    having = sorted(id_ for id_, value in values.items() if value is not None)
    having.sort(key=values.__getitem__, reverse=descending)
    return having + sorted(id_ for id_, value in values.items() if value is None)


def _clause_test(clause: ModelClause) -> Callable[[list[str]], bool]:
    wanted = clause.tokens
    if clause.kind == "prefix":
        return lambda tokens: any(token.startswith(clause.prefix) for token in tokens)
    if clause.kind == "phrase" or len(wanted) > 1:
        return lambda tokens: any(tokens[at : at + len(wanted)] == wanted for at in range(len(tokens)))
    word = wanted[0]
    return lambda tokens: any(_stem(token) == _stem(word) for token in tokens)


def _stem(token: str) -> str:
    return STEMS.get(token, token)


def _values(given: object) -> list[Any]:
    values = given if isinstance(given, list) else [given]
    return [value for value in values if isinstance(value, str | int | float)]


def _rank(value: object) -> int:
    return 0 if isinstance(value, str) else 2 if isinstance(value, bool) else 1


def _typed(value: Any) -> tuple[int, Any]:
    return _rank(value), value


def _holds(given: object, condition: Any) -> bool:
    values = _values(given)
    if not isinstance(condition, dict):
        return _is_one_of(values, condition)
    if "exists" in condition:
        return bool(values) is condition["exists"]
    if "not" in condition:
        return not _is_one_of(values, condition["not"])
    return any(_within(value, condition) for value in values)


def _is_one_of(values: list[Any], wanted: Any) -> bool:
    return any(_equal(value, one) for value in values for one in (wanted if isinstance(wanted, list) else [wanted]))


def _equal(value: Any, wanted: Any) -> bool:
    span = _span(wanted)
    if span is not None:
        moment = _span(value)
        return moment is not None and span[0] <= moment[0] <= span[1]
    return _typed(value) == _typed(wanted)


def _within(value: Any, bounds: Mapping[str, Any]) -> bool:
    tests = {"gte": lambda a, b: a >= b, "gt": lambda a, b: a > b, "lte": lambda a, b: a <= b, "lt": lambda a, b: a < b}
    for name, bound in bounds.items():
        span = _span(bound)
        if span is None:
            if _rank(value) != _rank(bound) or not tests[name](value, bound):
                return False
            continue
        moment = _span(value)
        if moment is None or not tests[name](moment[0], span[1] if name in {"gt", "lte"} else span[0]):
            return False
    return True


def _span(value: object) -> tuple[datetime, datetime] | None:
    """Return the first and the last moment that a date means."""
    if not isinstance(value, str) or not value[:4].isdigit() or value[4:5] != "-":
        return None
    moment = datetime.fromisoformat(value)
    start = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return start, start + timedelta(days=1, microseconds=-1) if len(value) == 10 else start
