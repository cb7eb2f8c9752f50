"""Sorting by undeclared fields: both engines collect the terms of all matches, and this module sorts them in memory.

Values sort by type first (strings, dates, numbers, booleans), then by value. A date is indexed both as a date and as
the string it was written as; if a document has a date in the field, its strings are ignored. Of several values the
smallest counts, as with declared fields. Missing values come last in both directions. Ties are broken by id.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from indexer.engines.port import Json
from indexer.errors import Invalid
from indexer.query.ast import SortKey
from indexer.schema.metadata_terms import SEPARATOR, facet_prefixes
from indexer.tenancy import DocumentId

Row = TypeVar("Row")
MAX_SORTED_MATCHES: Final = 10_000
"""The maximum number of matches that are collected for a sort by an undeclared field."""

_TYPE_RANKS: Final = {"s": "0", "d": "1", "n": "2", "b": "3"}
"""The sort rank of each type, by the letter that its terms start with."""


@dataclass(frozen=True, slots=True)
class SortedMatch:
    """A match in sort order; `position` is JSON, to continue after this match on the next page."""

    id: DocumentId
    position: list[Json]


def sort_matches(
    rows: Iterable[tuple[DocumentId, Sequence[str]]],
    keys: tuple[SortKey, ...],
    after: list[Json] | None = None,
) -> list[SortedMatch]:
    """Sort matches, given as ids and terms, by the keys; with `after`, return only those after that position."""
    encoded_fields = [encoded_field(key.field) for key in keys]
    matches = [
        SortedMatch(identity, [*(sort_value(terms, field) for field in encoded_fields), identity])
        for identity, terms in rows
    ]
    if after is not None:
        matches = [match for match in matches if _is_after(match.position, after, keys)]
    return in_order(matches, keys, lambda match: match.position)


def in_order(rows: Iterable[Row], keys: Sequence[SortKey], position: Callable[[Row], Sequence[Json]]) -> list[Row]:
    """Sort rows by their positions: a value for each key, or None, and then the id."""
    ordered = sorted(rows, key=lambda row: position(row)[-1])
    for at in reversed(range(len(keys))):
        present = [row for row in ordered if position(row)[at] is not None]
        missing = [row for row in ordered if position(row)[at] is None]
        present.sort(key=lambda row: position(row)[at], reverse=keys[at].descending)
        ordered = present + missing
    return ordered


def encoded_field(field: str) -> str:
    """Return the name of a field as terms contain it."""
    return facet_prefixes(field)[0].split(SEPARATOR)[1]


def sort_value(terms: Sequence[str], field: str) -> str | None:
    """Return a document's value of a field, by its encoded name, as a string that compares with all other values."""
    values: dict[str, list[str]] = {}
    for term in terms:
        letter, _, rest = term.partition(SEPARATOR)
        name, _, value = rest.partition(SEPARATOR)
        if name == field and letter in _TYPE_RANKS:
            values.setdefault(letter, []).append(_TYPE_RANKS[letter] + value)
    if "d" in values:
        values.pop("s", None)
    return min((value for group in values.values() for value in group), default=None)


def too_many_to_sort(field: str) -> Invalid:
    """Return the failure for a sort by this field when more than `MAX_SORTED_MATCHES` documents match."""
    return Invalid(
        f"More than {MAX_SORTED_MATCHES:,} documents match, too many to sort by a field that is not declared",
        action="Narrow the search, or name the field in sortable_fields when creating the index",
        details={"field": field, "limit": MAX_SORTED_MATCHES},
    )


def _is_after(position: list[Json], after: list[Json], keys: tuple[SortKey, ...]) -> bool:
    for value, other, key in zip(position, after, keys, strict=False):
        if value == other:
            continue
        if value is None or other is None:
            return value is None
        return bool(value < other) if key.descending else bool(value > other)
    return bool(position[-1] > after[-1])
