"""Counts metadata values and fields."""

from typing import Final

from tantivy import Query, Searcher

from indexer.engines.counts import FacetValue, KeyCount
from indexer.engines.tantivy.schema import KEYS, TERMS
from indexer.schema.metadata_terms import facet_prefixes, facet_value, internal_prefix, parse_key

_MAX_KEYS: Final = 1_000


def count_values(searcher: Searcher, query: Query, field: str, limit: int) -> list[FacetValue]:
    """Return the most frequent values of a field among the matches; ties as in `SearchRequest.facets`."""
    counted = [
        (-count, kind, term)
        for kind, prefix in enumerate(facet_prefixes(field))
        for term, count in searcher.terms_with_prefix(TERMS, prefix, query, limit)
    ]
    return [FacetValue(facet_value(term), -count) for count, _, term in sorted(counted)[:limit]]


def count_internal_values(searcher: Searcher, name: str, limit: int) -> list[FacetValue]:
    """Return the most frequent values of an internal term among all documents, as `Reader.internal_values` does."""
    counted = searcher.terms_with_prefix(TERMS, internal_prefix(name), Query.all_query(), limit)
    counted.sort(key=lambda each: (-each[1], each[0]))
    return [FacetValue(facet_value(term), count) for term, count in counted]


def count_keys(searcher: Searcher) -> list[KeyCount]:
    """Return the fields of all documents, or the 1,000 most frequent, sorted by name."""
    counted = searcher.terms_with_prefix(KEYS, "", Query.all_query(), _MAX_KEYS)
    counts = [KeyCount(*parse_key(term), documents) for term, documents in counted]
    return sorted(counts, key=lambda count: (count.field, count.type))
