"""Aligns a short quotation with a text that has more words in between, as where a quotation leaves some out."""

from collections import Counter, deque
from collections.abc import Sequence
from typing import Final

from indexer.quotes.alignment import Alignment, Extent

MAX_GAPPED_WORDS: Final = 100
"""In a longer quotation a gap is a small difference."""
_MARGIN: Final = 20


def align_with_gaps(quote: Sequence[str], text: Sequence[str]) -> Alignment:
    """Return the best extent, in the part of the text with the most words of the quotation; a gap counts as one."""
    start, end = _densest_part(quote, text, 3 * len(quote) + _MARGIN)
    distance, extent = _align(quote, text[start:end])
    return Alignment(distance, [Extent(start + extent.start, start + extent.end)] if extent.end > extent.start else [])


def _densest_part(quote: Sequence[str], text: Sequence[str], size: int) -> tuple[int, int]:
    """Return the part of this size with the most distinct words of the quotation."""
    known, inside, window = frozenset(quote), Counter[str](), deque[str]()
    best, best_end = 0, min(size, len(text))
    for number, word in enumerate(text, start=1):
        window.append(word)
        if word in known:
            inside[word] += 1
        if len(window) > size and (left := window.popleft()) in known:
            inside[left] -= 1
            if not inside[left]:
                del inside[left]
        if len(inside) > best:
            best, best_end = len(inside), number
    # The part where the count was first reached ends with the last of these words; some may follow that fit better.
    end = min(len(text), best_end + len(quote))
    return max(0, best_end - size), end


def _align(quote: Sequence[str], text: Sequence[str]) -> tuple[int, Extent]:
    """Return the distance and the extent; states are pairs of a distance and of where the extent begins."""
    states = [(0, start) for start in range(len(text) + 1)]
    gaps = states
    for number, word in enumerate(quote, start=1):
        previous, previous_gaps = states, gaps
        states = [(number, 0)]
        for place, other in enumerate(text, start=1):
            distance, start = min(previous[place - 1], previous_gaps[place - 1], key=_cost)
            consumed = (distance + (word != other), start)
            missing = (previous[place][0] + 1, previous[place][1])
            states.append(min(consumed, missing, key=_cost))
        gaps = _after_gaps(states)
    end = min(range(len(states)), key=lambda place: (states[place][0], place))
    return states[end][0], Extent(states[end][1], end)


def _after_gaps(states: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return, for each place, the best state after a gap that ends there."""
    best = (states[0][0] + 1, states[0][1])
    reached = []
    for distance, start in states:
        reached.append(best)
        if distance + 1 < best[0]:
            best = (distance + 1, start)
    return reached


def _cost(state: tuple[int, int]) -> tuple[int, int]:
    """Prefer the smaller distance, then the extent that begins later, which is the shorter one."""
    return state[0], -state[1]
