"""The parse tree of a Lucene query. Texts are as typed, with their escapes; fields are unescaped."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

EXISTS: Final = "_exists_"
Occurrence = Literal["must", "should", "must_not"]


@dataclass(frozen=True, slots=True)
class Term:
    """A word, a phrase without its quotes, a pattern, or a regular expression without its slashes."""

    kind: Literal["word", "phrase", "prefix", "wildcard", "regex"]
    text: str
    field: str | None = None
    fuzzy: str | None = None
    """What follows `~`: an edit distance, or the slop of a phrase; maybe nothing."""
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Range:
    """A range; `*` stands for no limit."""

    low: str
    high: str
    includes_low: bool
    includes_high: bool
    field: str | None = None
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Group:
    """Clauses in parentheses, or the whole query."""

    clauses: tuple["Clause", ...]
    field: str | None = None
    """The field of all clauses that name none."""
    boost: float = 1.0


Node = Term | Range | Group


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a group, with the operator before it and its own sign; `NOT` and `!` are the sign `-`."""

    node: Node
    operator: Literal["", "AND", "OR"] = ""
    sign: Literal["", "+", "-"] = ""
    start: int = 0
    """Where the clause begins in the query, after its sign, and where it ends."""
    end: int = 0
    field_end: int = 0
    """Where the name of its field ends; `start` if it has none."""

    @property
    def occurrence(self) -> Occurrence:
        """How the clause counts in its group. One that should match must match if `AND` follows it."""
        if self.sign == "-":
            return "must_not"
        return "must" if self.sign == "+" or self.operator == "AND" else "should"


def clauses_within(group: Group) -> Iterator[Clause]:
    """Yield all clauses at any depth, in the order of the query."""
    for clause in group.clauses:
        yield clause
        if isinstance(clause.node, Group):
            yield from clauses_within(clause.node)
