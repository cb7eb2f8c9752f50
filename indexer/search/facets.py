"""Counts of a field's values among all matches, as results show them."""

from collections.abc import Mapping, Sequence
from typing import Final

from typing_extensions import TypedDict

from indexer.engines.port import FacetValue
from indexer.text.truncate import shorten_text

_LONGEST: Final = 300


class FacetCount(TypedDict):
    """One value of a facet."""

    value: str | float | bool
    count: int


def facet_counts(facets: Mapping[str, Sequence[FacetValue]]) -> dict[str, list[FacetCount]]:
    """Return the counts by field; long values are cut."""
    return {name: [_count(value) for value in values] for name, values in facets.items()}


def _count(counted: FacetValue) -> FacetCount:
    value = counted.value
    return FacetCount(value=shorten_text(value, _LONGEST) if isinstance(value, str) else value, count=counted.count)
