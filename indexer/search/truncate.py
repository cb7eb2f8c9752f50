"""Keeps a page of results within `max_chars`: shortens hits, then drops hits from the end, but never the first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from indexer.text.truncate import LIMITS_FOR_ALL, LIMITS_FOR_ONE, SizeLimits, fits, json_size

RenderedHit = TypeVar("RenderedHit")


@dataclass(frozen=True, slots=True)
class TruncatedPage(Generic[RenderedHit]):
    """The hits that fit; `truncated` if any hit was shortened or dropped."""

    hits: list[RenderedHit]
    truncated: bool


def truncate_page(
    hits: Sequence[RenderedHit], max_chars: int | None, shorten: Callable[[RenderedHit, SizeLimits], RenderedHit]
) -> TruncatedPage[RenderedHit]:
    """Return as many hits as fit into a JSON list of `max_chars`, shortened as little as possible; at least one."""
    if max_chars is None or not hits or fits(list(hits), max_chars):
        return TruncatedPage(list(hits), truncated=False)
    shortened = list(hits)
    for limits in LIMITS_FOR_ALL:
        shortened = [shorten(hit, limits) for hit in hits]
        if fits(shortened, max_chars):
            return TruncatedPage(shortened, truncated=True)
    kept = shortened[: _count_fitting(shortened, max_chars)]
    if kept:
        return TruncatedPage(kept, truncated=True)
    first = shortened[0]
    for limits in LIMITS_FOR_ONE:
        first = shorten(hits[0], limits)
        if fits([first], max_chars):
            break
    return TruncatedPage([first], truncated=True)


def _count_fitting(hits: Sequence[Any], max_chars: int) -> int:
    length = len("[]")
    for count, hit in enumerate(hits):
        length += json_size(hit) + (len(", ") if count else 0)
        if length > max_chars:
            return count
    return len(hits)
