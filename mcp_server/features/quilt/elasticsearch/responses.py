"""Parses responses of Elasticsearch; a partial response is a failure."""

from dataclasses import dataclass
from typing import Any, Final

from mcp_server.features.quilt.failures import ERROR_MESSAGES, CatalogFailed, UnexpectedResponse
from mcp_server.features.quilt.hits import first_text, object_hit, package_hit
from mcp_server.features.quilt.results import CatalogHit

PACKAGES_SUFFIX: Final = "_packages"
_REINDEX_SUFFIX: Final = "-reindex-"


@dataclass(frozen=True, slots=True)
class ElasticsearchPage:
    """One page of hits."""

    hits: list[CatalogHit]
    total: int
    total_is_lower_bound: bool
    """Whether Elasticsearch stopped counting at the total."""
    sort_values: list[list[Any] | None]
    """The sort values of each hit, for `search_after`; None where the response has none."""


def parse_page(response: dict[str, Any]) -> ElasticsearchPage:
    """Parse a search response; raises a failure where it is partial or malformed."""
    if response.get("timed_out") is True:
        raise ERROR_MESSAGES.too_slow()
    shards = response.get("_shards")
    if isinstance(shards, dict) and shards.get("failed"):
        raise CatalogFailed("A part of the catalog's index did not answer")
    results = response["hits"]
    hits = results.get("hits", [])
    if not isinstance(hits, list):
        raise UnexpectedResponse
    total, total_is_lower_bound = _parse_total(results.get("total"))
    return ElasticsearchPage(
        [_parse_hit(hit) for hit in hits], total, total_is_lower_bound, [_sort_values(hit) for hit in hits]
    )


def _sort_values(hit: Any) -> list[Any] | None:
    values = hit.get("sort") if isinstance(hit, dict) else None
    return values if isinstance(values, list) else None


def bucket_of(index: str) -> str:
    """Return the bucket of an index; the name of a rebuilt index has a suffix."""
    return index.partition(PACKAGES_SUFFIX)[0].partition(_REINDEX_SUFFIX)[0]


def _parse_total(total: Any) -> tuple[int, bool]:
    match total:
        case int() if not isinstance(total, bool):
            return total, False
        case {"value": int(value), **rest}:
            return value, rest.get("relation", "eq") != "eq"
        case _:
            raise CatalogFailed("The registry did not count the results")


def _parse_hit(hit: Any) -> CatalogHit:
    try:
        index, source = str(hit["_index"]), hit["_source"]
        bucket, name = bucket_of(index), first_text(source, "handle", "ptr_name")
        common = {"id": hit.get("_id"), "score": hit.get("_score"), "bucket": bucket}
        if name is None:
            return object_hit(
                **common,
                key=str(source["key"]),
                version=source.get("version_id"),
                size=source.get("size"),
                modified=source.get("last_modified"),
                metadata=source.get("user_meta"),
            )
        merged = {**_manifest_source(hit), **source}
        stats = merged.get("package_stats") or merged.get("mnfst_stats") or {}
        return package_hit(
            **common,
            name=name,
            hash=first_text(merged, "hash", "mnfst_hash"),
            size=stats.get("total_bytes"),
            modified=first_text(merged, "last_modified", "ptr_last_modified"),
            metadata=merged.get("metadata") or merged.get("mnfst_metadata"),
            comment=first_text(merged, "comment", "mnfst_message"),
        )
    except (AttributeError, KeyError, TypeError):
        raise CatalogFailed("The registry answered with a result that has no name") from None


def _manifest_source(hit: Any) -> dict[str, Any]:
    """Return the manifest of a package pointer, on stacks that index the two as separate documents."""
    match hit.get("inner_hits"):
        case {"mnfst": {"hits": {"hits": [{"_source": dict(source)}, *_]}}}:
            return source
        case _:
            return {}
