"""Aligns a quotation with a text: finds where the text differs from it in the fewest words.

Myers' bit-parallel algorithm: the states of all words of the quotation are the bits of two integers, so that a word of
the text costs a few operations on integers, whatever it is and however often it occurs.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Extent:
    """A run of words of the text, by the indices of its first word and of the one after its last."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """The extents of a text that are closest to a quotation, in order, and their edit distance in words."""

    distance: int
    extents: list[Extent]


def align(quote: Sequence[str], text: Sequence[str], max_extents: int = 1) -> Alignment:
    """Return the best extents that do not overlap; the distance counts replaced, missing and additional words."""
    distances = list(_distances(quote, text, anchored=False))
    best = min(distances, default=len(quote))
    if best >= len(quote):
        return Alignment(len(quote), [])
    extents: list[Extent] = []
    backwards = quote[::-1]
    for end, distance in enumerate(distances, start=1):
        # Of neighbouring ends with the same distance the last is meant: its last word replaces one of the quotation.
        if distance != best or (end < len(distances) and distances[end] == best):
            continue
        start = _start(backwards, text, end, best)
        if not extents or start >= extents[-1].end:
            extents.append(Extent(start, end))
            if len(extents) == max_extents:
                break
    return Alignment(best, extents)


def _start(backwards: Sequence[str], text: Sequence[str], end: int, distance: int) -> int:
    """Return where the longest extent begins that ends here and has this distance."""
    longest = min(end, len(backwards) + distance)
    part = text[end - longest : end][::-1]
    lengths = [
        length
        for length, reached in enumerate(_distances(backwards, part, anchored=True), start=1)
        if reached == distance
    ]
    return end - max(lengths, default=longest)


def _distances(quote: Sequence[str], text: Iterable[str], *, anchored: bool) -> Iterator[int]:
    """Yield, after each word of the text, the distance of the quotation to the best extent that ends there.

    If it is anchored, the extent begins with the text, else anywhere.
    """
    size = len(quote)
    places: dict[str, int] = {}
    for index, word in enumerate(quote):
        places[word] = places.get(word, 0) | 1 << index
    mask, last = (1 << size) - 1, 1 << (size - 1)
    increases, decreases = mask, 0
    distance = size
    for word in text:
        equal = places.get(word, 0)
        vertical = equal | decreases
        horizontal = (((equal & increases) + increases) ^ increases) | equal
        up = decreases | (~(horizontal | increases) & mask)
        down = increases & horizontal
        if up & last:
            distance += 1
        elif down & last:
            distance -= 1
        up = (up << 1 | anchored) & mask
        down = down << 1 & mask
        increases = down | (~(vertical | up) & mask)
        decreases = up & vertical
        yield distance
