"""The part of a text that one call returns, with the matches inside."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from indexer.text.truncate import json_size, truncate_text

_MAX_MATCHES: Final = 2_000


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text. It does not end inside a match, so each match is whole in one part."""

    text: str
    end: int
    matches: list[tuple[int, int]]


def part_of(text: str, matches: Sequence[tuple[int, int]], offset: int, size: int | None) -> Part:
    """Return the part that begins at the offset, its text no longer than `size` as JSON; at least one character."""
    part = text[offset:]
    if size is not None and json_size(part) > size:
        part = truncate_text(part, size)
    end = offset + len(part)
    first = bisect_left(matches, (offset, 0))
    after = bisect_left(matches, (end, 0))
    if after > first and matches[after - 1][1] > end:
        after -= 1
        end = matches[after][0] if matches[after][0] > offset else end
    return Part(text[offset:end], end, list(matches[first : min(after, first + _MAX_MATCHES)]))
