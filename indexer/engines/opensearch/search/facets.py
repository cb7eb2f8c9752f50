"""Counting values and fields by aggregations over the exact terms."""

import re
from collections.abc import Mapping
from typing import Any, Final

from indexer.engines.opensearch.search.compile import KEYS, TERMS
from indexer.engines.port import FacetValue, KeyCount
from indexer.schema.metadata_terms import facet_prefixes, facet_value, parse_key

_VALUES: Final = 10
_FIELDS: Final = 1_000
_PER_SHARD: Final = 1_000
_BIGGEST_FIRST: Final = [{"_count": "desc"}, {"_key": "asc"}]
_SPECIAL: Final = re.compile(r"[^0-9A-Za-z\x1f]")


def facet_aggregations(fields: tuple[str, ...]) -> dict[str, Any]:
    """Return the aggregations that count these fields: one for each type, since ties go by type before value."""
    return {
        _name(at, rank): {"terms": {**_terms(TERMS, _VALUES), "include": _SPECIAL.sub(r"\\\g<0>", prefix) + ".*"}}
        for at, field in enumerate(fields)
        for rank, prefix in enumerate(facet_prefixes(field))
    }


def facets_of(answer: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, list[FacetValue]]:
    """Return each field's biggest values."""
    found = answer.get("aggregations", {})
    facets = {}
    for at, field in enumerate(fields):
        ranks = range(len(facet_prefixes(field)))
        buckets = [bucket for rank in ranks for bucket in found[_name(at, rank)]["buckets"]]
        buckets.sort(key=lambda bucket: -bucket["doc_count"])
        facets[field] = [FacetValue(facet_value(bucket["key"]), bucket["doc_count"]) for bucket in buckets[:_VALUES]]
    return facets


def key_aggregation() -> dict[str, Any]:
    """Return the aggregation that counts the documents of each field and type."""
    return {"keys": {"terms": _terms(KEYS, _FIELDS)}}


def keys_of(answer: Mapping[str, Any]) -> list[KeyCount]:
    """Return the fields, by name."""
    buckets = answer["aggregations"]["keys"]["buckets"]
    counts = [KeyCount(*parse_key(bucket["key"]), bucket["doc_count"]) for bucket in buckets]
    return sorted(counts, key=lambda count: (count.field, count.type))


def _terms(field: str, size: int) -> dict[str, Any]:
    return {"field": field, "size": size, "shard_size": max(size, _PER_SHARD), "order": _BIGGEST_FIRST}


def _name(at: int, rank: int) -> str:
    return f"{at}-{rank}"
