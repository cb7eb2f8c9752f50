"""Facet counts in the form that results have."""

from collections.abc import Mapping, Sequence
from typing import Final

from typing_extensions import TypedDict

from indexer.engines.port import FacetValue
from indexer.text.truncate import shorten_text

_MAX_VALUE_LENGTH: Final = 300


class FacetCount(TypedDict):
    """One value of a facet."""

    value: str | float | bool
    count: int


def facet_counts(facets: Mapping[str, Sequence[FacetValue]]) -> dict[str, list[FacetCount]]:
    """Return the counts by field; long values are truncated."""
    return {name: [_facet_count(value) for value in values] for name, values in facets.items()}


def _facet_count(facet: FacetValue) -> FacetCount:
    value = facet.value
    short = shorten_text(value, _MAX_VALUE_LENGTH) if isinstance(value, str) else value
    return FacetCount(value=short, count=facet.count)
