"""Cuts a page of results to a level of detail and to `max_chars`.

Hits are shortened to the level of detail. If they are still too long they are shortened further, then dropped from the
end, but never the first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from indexer.arguments import Detail
from indexer.search.detail import LIMITS
from indexer.text.truncate import LIMITS_FOR_ALL, LIMITS_FOR_ONE, UNLIMITED, SizeLimits, fits, json_size

RenderedHit = TypeVar("RenderedHit")


@dataclass(frozen=True, slots=True)
class TruncatedPage(Generic[RenderedHit]):
    """The hits that fit; `truncated` if anything was left out, for the level of detail or to fit."""

    hits: list[RenderedHit]
    truncated: bool


def truncate_page(
    hits: Sequence[RenderedHit],
    max_chars: int | None,
    shorten: Callable[[RenderedHit, SizeLimits], RenderedHit],
    detail: Detail = "full",
) -> TruncatedPage[RenderedHit]:
    """Return as many hits as fit into a JSON list of `max_chars`, shortened as little as possible; at least one."""
    shown, cut = _apply_detail(hits, shorten, detail)
    if max_chars is None or not hits or fits(shown, max_chars):
        return TruncatedPage(shown, truncated=cut)
    shortened = shown
    for limits in _within(detail, LIMITS_FOR_ALL):
        shortened = [shorten(hit, limits) for hit in hits]
        if fits(shortened, max_chars):
            return TruncatedPage(shortened, truncated=True)
    kept = shortened[: _count_fitting(shortened, max_chars)]
    if kept:
        return TruncatedPage(kept, truncated=True)
    first = shortened[0]
    for limits in _within(detail, LIMITS_FOR_ONE):
        first = shorten(hits[0], limits)
        if fits([first], max_chars):
            break
    return TruncatedPage([first], truncated=True)


def _apply_detail(
    hits: Sequence[RenderedHit], shorten: Callable[[RenderedHit, SizeLimits], RenderedHit], detail: Detail
) -> tuple[list[RenderedHit], bool]:
    """Return the hits at this level, and whether that left anything out."""
    if detail == "full":
        return list(hits), False
    shown = [shorten(hit, LIMITS[detail]) for hit in hits]
    # Without snippets in the request it is unknown whether there are any.
    is_cut = detail == "ids" or any(short != shorten(hit, UNLIMITED) for short, hit in zip(shown, hits, strict=True))
    return shown, is_cut and bool(hits)


def _within(detail: Detail, limits: Sequence[SizeLimits]) -> list[SizeLimits]:
    return [each.within(LIMITS[detail]) for each in limits]


def _count_fitting(hits: Sequence[Any], max_chars: int) -> int:
    length = len("[]")
    for count, hit in enumerate(hits):
        length += json_size(hit) + (len(", ") if count else 0)
        if length > max_chars:
            return count
    return len(hits)
