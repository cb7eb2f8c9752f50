"""Counts metadata values and fields by aggregations over the exact terms."""

import re
from collections.abc import Mapping
from typing import Any, Final

from indexer.engines.opensearch.search.compile import KEYS, TERMS
from indexer.engines.port import FacetValue, KeyCount
from indexer.schema.metadata_terms import facet_prefixes, facet_value, parse_key

_MAX_VALUES: Final = 10
_MAX_KEYS: Final = 1_000
_SHARD_SIZE: Final = 1_000
_MOST_FREQUENT_FIRST: Final = [{"_count": "desc"}, {"_key": "asc"}]
_REGEX_SPECIAL: Final = re.compile(r"[^0-9A-Za-z\x1f]")


def facet_aggregations(fields: tuple[str, ...]) -> dict[str, Any]:
    """Return one aggregation per field and type, because ties are broken by type before value."""
    return {
        _aggregation_name(at, rank): {
            "terms": {**_terms_options(TERMS, _MAX_VALUES), "include": _REGEX_SPECIAL.sub(r"\\\g<0>", prefix) + ".*"}
        }
        for at, field in enumerate(fields)
        for rank, prefix in enumerate(facet_prefixes(field))
    }


def facets_of(response: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, list[FacetValue]]:
    """Return the most frequent values of each field."""
    aggregations = response.get("aggregations", {})
    facets = {}
    for at, field in enumerate(fields):
        ranks = range(len(facet_prefixes(field)))
        buckets = [bucket for rank in ranks for bucket in aggregations[_aggregation_name(at, rank)]["buckets"]]
        buckets.sort(key=lambda bucket: -bucket["doc_count"])
        facets[field] = [
            FacetValue(facet_value(bucket["key"]), bucket["doc_count"]) for bucket in buckets[:_MAX_VALUES]
        ]
    return facets


def key_aggregation() -> dict[str, Any]:
    """Return the aggregation that counts documents per field and type."""
    return {"keys": {"terms": _terms_options(KEYS, _MAX_KEYS)}}


def keys_of(response: Mapping[str, Any]) -> list[KeyCount]:
    """Return the fields with their types, sorted by name."""
    buckets = response["aggregations"]["keys"]["buckets"]
    counts = [KeyCount(*parse_key(bucket["key"]), bucket["doc_count"]) for bucket in buckets]
    return sorted(counts, key=lambda count: (count.field, count.type))


def _terms_options(field: str, size: int) -> dict[str, Any]:
    return {"field": field, "size": size, "shard_size": max(size, _SHARD_SIZE), "order": _MOST_FREQUENT_FIRST}


def _aggregation_name(at: int, rank: int) -> str:
    return f"{at}-{rank}"
