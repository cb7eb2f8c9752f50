"""Counting the values of metadata fields among the matches."""

from typing import Final

from tantivy import Query, Searcher

from indexer.engines.port import FacetValue, KeyCount
from indexer.engines.tantivy.schema import KEYS, TERMS
from indexer.schema.metadata_terms import facet_prefixes, facet_value, parse_key

_BIGGEST: Final = 10
_MOST_KEYS: Final = 1_000


def facet(searcher: Searcher, query: Query, field: str) -> list[FacetValue]:
    """Return the ten biggest values of a field by count, then value, strings before numbers before booleans."""
    counted = [
        (-count, kind, term)
        for kind, prefix in enumerate(facet_prefixes(field))
        for term, count in searcher.terms_with_prefix(TERMS, prefix, query, _BIGGEST)
    ]
    return [FacetValue(facet_value(term), -count) for count, _, term in sorted(counted)[:_BIGGEST]]


def keys(searcher: Searcher) -> list[KeyCount]:
    """Return the fields that documents have, the most frequent if there are too many, by name."""
    counted = searcher.terms_with_prefix(KEYS, "", Query.all_query(), _MOST_KEYS)
    found = [KeyCount(*parse_key(term), documents) for term, documents in counted]
    return sorted(found, key=lambda count: (count.field, count.type))
