"""Sorting by fields that were not declared: both engines gather the matches' typed terms and order them here.

Values order by type first (strings, dates, numbers, booleans), then within their type. A date stands beside the string
it was written as: where a document has one in the field, its strings there do not count. Of several values the
smallest counts, as with declared fields. Missing values come last in both directions, ties go by id.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from indexer.engines.port import Json
from indexer.errors import Invalid
from indexer.query.ast import SortKey
from indexer.schema.metadata_terms import SEPARATOR, facet_prefixes
from indexer.tenancy import DocumentId

GATHERED: Final = 10_000
"""How many matches may be gathered for a sort by a field that was not declared."""

_RANKS: Final = {"s": "0", "d": "1", "n": "2", "b": "3"}
"""By the letter that a term starts with."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A match in its order; the position is JSON and says where a next page goes on."""

    id: DocumentId
    position: list[Json]


def order(
    rows: Iterable[tuple[DocumentId, Sequence[str]]],
    keys: tuple[SortKey, ...],
    after: list[Json] | None = None,
) -> list[Placed]:
    """Return the matches, given as id and terms, in the order of the keys; only those behind `after`."""
    encoded = [facet_prefixes(key.field)[0].split(SEPARATOR)[1] for key in keys]
    placed = [Placed(identity, [*(_value(terms, name) for name in encoded), identity]) for identity, terms in rows]
    if after is not None:
        placed = [row for row in placed if _behind(row.position, after, keys)]
    placed.sort(key=lambda row: row.id)
    for at in reversed(range(len(keys))):
        placed = _sorted_at(placed, at, descending=keys[at].descending)
    return placed


def too_many(field: str) -> Invalid:
    """Return the failure for a sort by this field when more than `GATHERED` documents match."""
    return Invalid(
        f"More than {GATHERED:,} documents match, too many to sort by a field that is not declared",
        action="Narrow the search, or name the field in sortable_fields when creating the index",
        details={"field": field, "limit": GATHERED},
    )


def _value(terms: Sequence[str], name: str) -> str | None:
    """Return the value to sort by as a string that orders rightly against all others of the field."""
    found: dict[str, list[str]] = {}
    for term in terms:
        letter, _, rest = term.partition(SEPARATOR)
        field, _, value = rest.partition(SEPARATOR)
        if field == name and letter in _RANKS:
            found.setdefault(letter, []).append(_RANKS[letter] + value)
    if "d" in found:
        found.pop("s", None)
    return min((value for group in found.values() for value in group), default=None)


def _sorted_at(placed: list[Placed], at: int, *, descending: bool) -> list[Placed]:
    present = [row for row in placed if row.position[at] is not None]
    missing = [row for row in placed if row.position[at] is None]
    present.sort(key=lambda row: row.position[at], reverse=descending)
    return present + missing


def _behind(position: list[Json], after: list[Json], keys: tuple[SortKey, ...]) -> bool:
    for mine, other, key in zip(position, after, keys, strict=False):
        if mine == other:
            continue
        if mine is None or other is None:
            return mine is None
        return bool(mine < other) if key.descending else bool(mine > other)
    return bool(position[-1] > after[-1])
