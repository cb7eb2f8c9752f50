"""Keeping a page of results within `max_chars`: hits are shortened, then dropped from the end, but never the first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from indexer.text.truncate import FOR_ALL, FOR_ONE, Room, fits, json_size

Shown = TypeVar("Shown")


@dataclass(frozen=True, slots=True)
class TruncatedPage(Generic[Shown]):
    """What fits; `truncated` if anything was shortened or dropped."""

    hits: list[Shown]
    truncated: bool


def truncate_page(
    hits: Sequence[Shown], max_chars: int | None, shorten: Callable[[Shown, Room], Shown]
) -> TruncatedPage[Shown]:
    """Return as many hits, as whole as possible, whose JSON list is no longer than `max_chars`; one at least."""
    if max_chars is None or not hits or fits(list(hits), max_chars):
        return TruncatedPage(list(hits), truncated=False)
    shortened = list(hits)
    for room in FOR_ALL:
        shortened = [shorten(hit, room) for hit in hits]
        if fits(shortened, max_chars):
            return TruncatedPage(shortened, truncated=True)
    kept = shortened[: _how_many(shortened, max_chars)]
    if kept:
        return TruncatedPage(kept, truncated=True)
    first = shortened[0]
    for room in FOR_ONE:
        first = shorten(hits[0], room)
        if fits([first], max_chars):
            break
    return TruncatedPage([first], truncated=True)


def _how_many(hits: Sequence[Any], max_chars: int) -> int:
    length = len("[]")
    for count, hit in enumerate(hits):
        length += json_size(hit) + (len(", ") if count else 0)
        if length > max_chars:
            return count
    return len(hits)
