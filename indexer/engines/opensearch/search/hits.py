"""Converts OpenSearch hits to the port's `Hit`."""

from collections.abc import Iterator, Mapping
from typing import Any

from indexer.engines.opensearch.search.highlights import highlights_of
from indexer.engines.port import Hit, Json, Matched
from indexer.tenancy import DocumentId


def hit_of(item: Mapping[str, Any], matched: Matched, position: list[Json]) -> Hit:
    """Return the hit. Parts that were not requested are empty."""
    source = item.get("_source") or {}
    explanation = item.get("_explanation")
    return Hit(
        id=DocumentId(item["_id"]),
        score=item["_score"] or 0.0,
        revision=item["_version"],
        payload=source.get("payload", "").encode(),
        text=source.get("text", ""),
        highlights=highlights_of(item),
        explanation=None if explanation is None else "\n".join(_explanation_lines(explanation, 0)),
        matched=matched,
        position=position,
    )


def _explanation_lines(explanation: Mapping[str, Any], depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{explanation['value']:.4g} {explanation['description']}"
    for part in explanation.get("details", ()):
        yield from _explanation_lines(part, depth + 1)
