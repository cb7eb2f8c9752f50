"""From the cluster's hits to the port's."""

from collections.abc import Iterator, Mapping
from typing import Any

from indexer.engines.opensearch.search.highlights import highlights_of
from indexer.engines.port import Hit, Json
from indexer.tenancy import DocumentId


def hit_of(item: Mapping[str, Any], position: list[Json]) -> Hit:
    """Return one hit; what was not asked for is empty."""
    source = item.get("_source") or {}
    explanation = item.get("_explanation")
    return Hit(
        id=DocumentId(item["_id"]),
        score=item["_score"] or 0.0,
        revision=item["_version"],
        payload=source.get("payload", "").encode(),
        text=source.get("text", ""),
        highlights=highlights_of(item),
        explanation=None if explanation is None else "\n".join(_lines(explanation, 0)),
        position=position,
    )


def _lines(explanation: Mapping[str, Any], depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{explanation['value']:.4g} {explanation['description']}"
    for part in explanation.get("details", ()):
        yield from _lines(part, depth + 1)
