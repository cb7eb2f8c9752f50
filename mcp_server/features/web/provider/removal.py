"""Removes spans from a text; indices into the text before are shifted to the text after."""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from itertools import accumulate

Span = tuple[int, int]


def remove(text: str, spans: Iterable[Span]) -> tuple[str, Callable[[int], int]]:
    """Return the text without these spans, and the function that shifts an index.

    The spans are in order and do not overlap. An index inside a removed span becomes the place where the span was.
    """
    removed = list(spans)
    starts = [start for start, _ in removed]
    totals = [0, *accumulate(end - start for start, end in removed)]
    kept = zip([0, *(end for _, end in removed)], [*starts, len(text)], strict=True)

    def shifted(index: int) -> int:
        before = bisect_left(starts, index)
        inside = max(0, removed[before - 1][1] - index) if before else 0
        return index - totals[before] + inside

    return "".join(text[start:end] for start, end in kept), shifted
