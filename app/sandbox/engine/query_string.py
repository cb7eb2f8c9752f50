"""The query `query_string`: a query in Lucene syntax, over some fields or all of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final

from app.sandbox.engine import field_queries
from app.sandbox.engine.analysis import terms
from app.sandbox.engine.field_queries import Scope, WrongType, normalized
from app.sandbox.engine.marks import Marks
from app.sandbox.engine.matches import Matches, best_of, boosted, combine, constant
from app.sandbox.engine.patterns import UnsupportedPattern, regular_expression, wildcard
from app.sandbox.engine.port import BadRequest
from app.sandbox.engine.word_runs import run_of_words
from mcp_server.lucene.syntax import parse, unescaped
from mcp_server.lucene.tokens import SyntaxProblem
from mcp_server.lucene.tree import EXISTS, Clause, Group, Node, Occurrence, Range, Term

_OPTIONS: Final = frozenset({"query", "fields", "lenient", "analyze_wildcard"})
_MAX_CLAUSES: Final = 1_024
_COMPARISONS: Final = (">=", "<=", ">", "<")
_MAX_EDITS: Final = 2
FieldQuery = Callable[[str], Matches | None]
"""A query on the field of this name; None where it has no words there."""


def query_string(scope: Scope, options: Mapping[str, Any]) -> Matches:
    """Return what a query matches; without fields it searches all of them, and passes over those it does not fit."""
    if unknown := options.keys() - _OPTIONS:
        raise BadRequest(f"[query_string] query does not support {sorted(unknown)}")
    query = str(options["query"])
    if not query.strip():
        return {}
    fields = options.get("fields")
    parser = _QueryString(
        scope,
        dict.fromkeys(scope.documents.mapping.searchable(), 1.0) if fields is None else _weighted(scope, fields),
        searches_all=fields is None,
        lenient=bool(options.get("lenient", fields is None)),
        analyzes_prefixes=bool(options.get("analyze_wildcard", False)),
    )
    try:
        found = parser.group(parse(query), None)
    except SyntaxProblem:
        raise BadRequest(f"Failed to parse query [{query}]") from None
    return found or {}


@dataclass(slots=True)
class _QueryString:
    scope: Scope
    fields: Mapping[str, float]
    searches_all: bool
    """Whether a clause without a field searches all of them."""
    lenient: bool
    analyzes_prefixes: bool
    clauses: Iterator[int] = field(default_factory=lambda: count(1))
    """Counts the queries on single fields."""

    def group(self, group: Group, field: str | None) -> Matches | None:
        """Combine clauses; None where the analysis leaves none of them."""
        found: list[tuple[Occurrence, Matches]] = []
        rest = list(group.clauses)
        while rest:
            run = run_of_words(rest)
            clause, rest = rest[0], rest[len(run) or 1 :]
            if clause.operator == "AND" and found and found[-1][0] == "should":
                found[-1] = ("must", found[-1][1])
            matches = self.clause(run or [clause], field)
            if matches is not None:
                found.append((clause.occurrence, matches))
        if not found:
            return None
        by_occurrence = {name: [each for occurrence, each in found if occurrence == name] for name, _ in found}
        return boosted(combine(self.scope.documents.count, **by_occurrence), group.boost)  # type: ignore[arg-type]  # the names of its lists

    def clause(self, clauses: list[Clause], field: str | None) -> Matches | None:
        """Search for one clause, or for a run of words, which is analyzed as one text."""
        if clauses[0].sign == "-":
            quiet = replace(self.scope, marks=Marks(is_on=False))
            return replace(self, scope=quiet).node(clauses[0].node, field)
        if len(clauses) > 1:
            text = " ".join(unescaped(each.node.text, 0) for each in clauses if isinstance(each.node, Term))
            return self.words(text, field)
        return self.node(clauses[0].node, field)

    def node(self, node: Node, field: str | None) -> Matches | None:
        field = field if node.field is None else node.field
        match node:
            case Group():
                return self.group(node, field)
            case Range():
                return boosted(
                    self.range(field, node.low, node.high, low=node.includes_low, high=node.includes_high), node.boost
                )
            case Term():
                matches = self.term(node, field)
                return None if matches is None else boosted(matches, node.boost)

    def term(self, node: Term, field: str | None) -> Matches | None:
        match node.kind:
            case "wildcard":
                return self.wildcard(node.text, field)
            case "regex":
                return self.in_fields(field, lambda name: self.regex(name, node.text))
            case "prefix":
                text = unescaped(node.text, 0)
                return self.in_fields(field, lambda name: self.prefix(name, text))
            case "word" | "phrase":
                return self.text(node, unescaped(node.text, 0), field)

    def text(self, node: Term, text: str, field: str | None) -> Matches | None:
        scope = self.scope
        if field == EXISTS:
            return field_queries.exists(scope, text)
        if node.kind == "phrase":
            slop = _slop(node.fuzzy)
            return self.in_fields(field, lambda name: field_queries.phrase(scope, name, text, slop))
        if node.fuzzy is not None:
            edits = _edits(node.fuzzy, text)
            return self.in_fields(
                field, lambda name: field_queries.fuzzy(scope, name, normalized(scope, name, text), edits)
            )
        return self.words(text, field)

    def words(self, text: str, field: str | None) -> Matches | None:
        if (field is not None or self.searches_all) and (compared := _comparison(text)) is not None:
            sign, bound = compared
            low, high = (bound, "*") if sign[0] == ">" else ("*", bound)
            return self.range(field, low, high, low=sign != ">", high=sign != "<")
        return self.in_fields(field, lambda name: field_queries.words(self.scope, name, text))

    def wildcard(self, text: str, field: str | None) -> Matches | None:
        if text == "*" and (field == "*" or (field is None and self.searches_all)):
            return constant(range(self.scope.documents.count))
        if text == "*" and field is not None:
            return field_queries.exists(self.scope, field)
        if text == "*":
            return self.in_fields(None, lambda name: field_queries.exists(self.scope, name))
        return self.in_fields(
            field,
            lambda name: field_queries.pattern(self.scope, name, wildcard(normalized(self.scope, name, text))),
        )

    def regex(self, name: str, text: str) -> Matches:
        compiled = regular_expression(normalized(self.scope, name, text))
        kind = self.scope.field(name)
        return field_queries.pattern(self.scope, name, compiled) if kind is not None and kind.is_string else {}

    def prefix(self, name: str, text: str) -> Matches | None:
        kind = self.scope.field(name)
        if not self.analyzes_prefixes or kind is None or kind.type != "text":
            return field_queries.prefix(self.scope, name, normalized(self.scope, name, text))
        words = terms(text, kind.analyzer)
        if not words:
            return None
        found = [field_queries.term(self.scope, name, word) for word in words[:-1]]
        return combine(self.scope.documents.count, should=[*found, field_queries.prefix(self.scope, name, words[-1])])

    def range(self, field: str | None, start: str, end: str, *, low: bool, high: bool) -> Matches:
        def search(name: str) -> Matches:
            bounds = [None if each == "*" else normalized(self.scope, name, each) for each in (start, end)]
            return field_queries.between(self.scope, name, *bounds, includes_low=low, includes_high=high)

        return self.in_fields(field, search) or {}

    def in_fields(self, field: str | None, query: FieldQuery) -> Matches | None:
        """Return the best of what a query matches in each field; None where it has no words in any."""
        names = self.fields if field is None else dict.fromkeys(self.named(field), 1.0)
        found = []
        for name, weight in names.items():
            if next(self.clauses) > _MAX_CLAUSES:
                raise BadRequest(f"too_many_nested_clauses: maxClauseCount is set to {_MAX_CLAUSES}")
            try:
                matches = query(name)
            except WrongType as error:
                if not self.lenient:
                    raise BadRequest(f"failed to create query: {error}") from None
                matches = {}
            except UnsupportedPattern as error:
                raise BadRequest(f"failed to create query: {error}") from None
            if matches is not None:
                found.append(boosted(matches, weight))
        return best_of(found) if found or not names else None

    def named(self, field: str) -> list[str]:
        mapping = self.scope.documents.mapping
        return mapping.searchable() if field == "*" else mapping.matching(field)


def _weighted(scope: Scope, fields: list[str]) -> dict[str, float]:
    """Resolve names and patterns with weights, like `title^2`."""
    weights: dict[str, float] = {}
    for each in fields:
        name, _, weight = each.partition("^")
        for found in scope.documents.mapping.matching(name):
            weights[found] = weights.get(found, 1.0) * float(weight or 1)
    return weights


def _comparison(text: str) -> tuple[str, str] | None:
    """Split a text like `>=5`."""
    sign = next((each for each in _COMPARISONS if text.startswith(each) and len(text) > len(each)), None)
    return None if sign is None else (sign, text.removeprefix(sign))


def _slop(fuzzy: str | None) -> int:
    try:
        return int(float(fuzzy or 0))
    except ValueError:
        return 0


def _edits(fuzzy: str, text: str) -> int:
    """Return how many edits `~` allows: by the length of the word if it does not say."""
    if not fuzzy or fuzzy.upper() == "AUTO":
        return 0 if len(text) < 3 else 1 if len(text) < 6 else 2
    try:
        return min(_MAX_EDITS, int(float(fuzzy)))
    except ValueError:
        raise BadRequest(f"failed to parse fuzziness [{fuzzy}]") from None
