"""Converts OpenSearch hits to the port's `Hit`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from indexer.engines.opensearch.search.highlights import highlights_of
from indexer.engines.port import Hit, Json, Matched
from indexer.engines.query_parts import QueryPart
from indexer.tenancy import DocumentId


def hit_of(item: Mapping[str, Any], matched: Matched, position: list[Json]) -> Hit:
    """Return the hit. Parts that were not requested are empty."""
    source = item.get("_source") or {}
    return Hit(
        id=DocumentId(item["_id"]),
        score=item["_score"] or 0.0,
        revision=item["_version"],
        payload=source.get("payload", "").encode(),
        text=source.get("text", ""),
        highlights=highlights_of(item),
        explanation=explanation_of(item),
        parts=(),
        matched=matched,
        position=position,
    )


def explanation_of(item: Mapping[str, Any]) -> str | None:
    """Return how the score of a hit came about, a line for each part; None if it was not requested."""
    explanation = item.get("_explanation")
    return None if explanation is None else "\n".join(_explanation_lines(explanation, 0))


def part_scores(item: Mapping[str, Any], parts: Sequence[QueryPart]) -> dict[QueryPart, float]:
    """Return the scores of the parts that a hit matches, as `parts_body` requested them."""
    scores: Mapping[str, float] = item.get("matched_queries") or {}
    return {parts[int(number)]: score for number, score in scores.items()}


def _explanation_lines(explanation: Mapping[str, Any], depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{explanation['value']:.4g} {explanation['description']}"
    for part in explanation.get("details", ()):
        yield from _explanation_lines(part, depth + 1)
