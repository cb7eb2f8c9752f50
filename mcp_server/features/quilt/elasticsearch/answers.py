"""What Elasticsearch answered: whole, or not at all."""

from dataclasses import dataclass
from typing import Any, Final

from mcp_server.features.quilt.failures import WORDING, Broken, Unreadable
from mcp_server.features.quilt.hits import object_hit, package_hit, texts
from mcp_server.features.quilt.results import CatalogHit

PACKAGES: Final = "_packages"
_REBUILT: Final = "-reindex-"


@dataclass(frozen=True, slots=True)
class Answered:
    """One page."""

    hits: list[CatalogHit]
    total: int
    at_least: bool
    """Whether Elasticsearch stopped counting."""
    places: list[list[Any] | None]
    """Where each hit stands in the order; None where it is not told."""


def answered(answer: dict[str, Any]) -> Answered:
    """Read a search's answer; a partial one is a failure."""
    if answer.get("timed_out") is True:
        raise WORDING.too_slow()
    shards = answer.get("_shards")
    if isinstance(shards, dict) and shards.get("failed"):
        raise Broken("A part of the catalog's index did not answer")
    found = answer["hits"]
    hits = found.get("hits", [])
    if not isinstance(hits, list):
        raise Unreadable
    total, at_least = _total(found.get("total"))
    return Answered([_hit(hit) for hit in hits], total, at_least, [_place(hit) for hit in hits])


def _place(hit: Any) -> list[Any] | None:
    place = hit.get("sort") if isinstance(hit, dict) else None
    return place if isinstance(place, list) else None


def bucket_of(index: str) -> str:
    """Return the bucket that an index belongs to, also where the index was built anew under another name."""
    return index.partition(PACKAGES)[0].partition(_REBUILT)[0]


def _total(given: Any) -> tuple[int, bool]:
    match given:
        case int() if not isinstance(given, bool):
            return given, False
        case {"value": int(value), **rest}:
            return value, rest.get("relation", "eq") != "eq"
        case _:
            raise Broken("The registry did not count the results")


def _hit(hit: Any) -> CatalogHit:
    try:
        index, source = str(hit["_index"]), hit["_source"]
        bucket, name = bucket_of(index), texts(source, "handle", "ptr_name")
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
        told = {**_manifest(hit), **source}
        stats = told.get("package_stats") or told.get("mnfst_stats") or {}
        return package_hit(
            **common,
            name=name,
            hash=texts(told, "hash", "mnfst_hash"),
            size=stats.get("total_bytes"),
            modified=texts(told, "last_modified", "ptr_last_modified"),
            metadata=told.get("metadata") or told.get("mnfst_metadata"),
            comment=texts(told, "comment", "mnfst_message"),
        )
    except (AttributeError, KeyError, TypeError):
        raise Broken("The registry answered with a result that has no name") from None


def _manifest(hit: Any) -> dict[str, Any]:
    """Return what the manifest of a pointer holds, on stacks that keep the two apart."""
    match hit.get("inner_hits"):
        case {"mnfst": {"hits": {"hits": [{"_source": dict(source)}, *_]}}}:
            return source
        case _:
            return {}
