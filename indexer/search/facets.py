"""Facet counts in the form that results have."""

from collections.abc import Mapping, Sequence
from typing import Final

from typing_extensions import TypedDict

from indexer.engines.counts import FacetValue
from indexer.schema.values import Scalar
from indexer.text.truncate import shorten_text

FacetValues = Mapping[str, Sequence[FacetValue]]
"""The most frequent values of each field in one index."""
_MAX_VALUE_LENGTH: Final = 300
_MAX_VALUES: Final = 10


class FacetCount(TypedDict):
    """One value of a facet."""

    value: str | float | bool
    count: int


def facet_counts(facets: FacetValues) -> dict[str, list[FacetCount]]:
    """Return the counts by field; long values are truncated."""
    return {name: [_facet_count(value) for value in values] for name, values in facets.items()}


def merge_facets(facets: Sequence[FacetValues], fields: Sequence[str]) -> dict[str, list[FacetValue]]:
    """Return the ten most frequent values of each of these fields in several indices together."""
    return {name: _merge_values([value for each in facets for value in each.get(name, ())]) for name in fields}


def _merge_values(values: Sequence[FacetValue]) -> list[FacetValue]:
    counts: dict[tuple[int, Scalar], int] = {}
    for each in values:
        # In Python, 1 equals True.
        typed = _type_rank(each.value), each.value
        counts[typed] = counts.get(typed, 0) + each.count
    ordered = sorted((-count, rank, value) for (rank, value), count in counts.items())
    return [FacetValue(value, -count) for count, _, value in ordered[:_MAX_VALUES]]


def _type_rank(value: Scalar) -> int:
    """Return the place of a type in ties: strings, then numbers, then booleans."""
    return 0 if isinstance(value, str) else 1 + isinstance(value, bool)


def _facet_count(facet: FacetValue) -> FacetCount:
    value = facet.value
    short = shorten_text(value, _MAX_VALUE_LENGTH) if isinstance(value, str) else value
    return FacetCount(value=short, count=facet.count)
