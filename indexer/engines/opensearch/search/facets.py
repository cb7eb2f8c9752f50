"""Counts metadata values and fields by aggregations over the exact terms."""

import re
from collections.abc import Mapping
from typing import Any, Final

from elasticsearch_dsl import A, Search
from elasticsearch_dsl.aggs import Agg

from indexer.engines.counts import FacetValue, KeyCount
from indexer.engines.opensearch.search.compile import KEYS, TERMS
from indexer.schema.metadata_terms import facet_prefixes, facet_value, internal_prefix, parse_key

_MAX_KEYS: Final = 1_000
_SHARD_SIZE: Final = 1_000
_MOST_FREQUENT_FIRST: Final = [{"_count": "desc"}, {"_key": "asc"}]
_REGEX_SPECIAL: Final = re.compile(r"[^0-9A-Za-z\x1f]")


def add_facets(search: Search, fields: tuple[str, ...], limit: int) -> None:
    """Add one aggregation per field and type, because ties are broken by type before value."""
    for at, field in enumerate(fields):
        for rank, prefix in enumerate(facet_prefixes(field)):
            search.aggs.bucket(_aggregation_name(at, rank), _count_terms(TERMS, limit, include=_pattern(prefix)))


def facets_of(response: Mapping[str, Any], fields: tuple[str, ...], limit: int) -> dict[str, list[FacetValue]]:
    """Return the most frequent values of each field."""
    aggregations = response.get("aggregations", {})
    facets = {}
    for at, field in enumerate(fields):
        ranks = range(len(facet_prefixes(field)))
        buckets = [bucket for rank in ranks for bucket in aggregations[_aggregation_name(at, rank)]["buckets"]]
        buckets.sort(key=lambda bucket: -bucket["doc_count"])
        facets[field] = [FacetValue(facet_value(bucket["key"]), bucket["doc_count"]) for bucket in buckets[:limit]]
    return facets


def internal_values_body(name: str, limit: int) -> dict[str, Any]:
    """Return the body that counts documents per value of an internal term."""
    search = Search().extra(size=0)
    search.aggs.bucket("values", _count_terms(TERMS, limit, include=_pattern(internal_prefix(name))))
    body: dict[str, Any] = search.to_dict()
    return body


def internal_values_of(response: Mapping[str, Any]) -> list[FacetValue]:
    """Return the values, most frequent first."""
    buckets = response["aggregations"]["values"]["buckets"]
    return [FacetValue(facet_value(bucket["key"]), bucket["doc_count"]) for bucket in buckets]


def keys_body() -> dict[str, Any]:
    """Return the body that counts documents per field and type."""
    search = Search().extra(size=0)
    search.aggs.bucket("keys", _count_terms(KEYS, _MAX_KEYS))
    body: dict[str, Any] = search.to_dict()
    return body


def keys_of(response: Mapping[str, Any]) -> list[KeyCount]:
    """Return the fields with their types, sorted by name."""
    buckets = response["aggregations"]["keys"]["buckets"]
    counts = [KeyCount(*parse_key(bucket["key"]), bucket["doc_count"]) for bucket in buckets]
    return sorted(counts, key=lambda count: (count.field, count.type))


def _pattern(prefix: str) -> str:
    return _REGEX_SPECIAL.sub(r"\\\g<0>", prefix) + ".*"


def _count_terms(field: str, size: int, **options: str) -> Agg:
    shard_size = max(size, _SHARD_SIZE)
    return A("terms", field=field, size=size, shard_size=shard_size, order=_MOST_FREQUENT_FIRST, **options)


def _aggregation_name(at: int, rank: int) -> str:
    return f"{at}-{rank}"
