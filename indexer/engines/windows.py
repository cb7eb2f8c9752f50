"""Windows: the parts of a long text that a highlight shows, chosen around its marks."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, NamedTuple

from indexer.schema.characters import is_word_character
from indexer.text.clean import clean_text
from indexer.text.marks import ELLIPSIS, join_marks

WINDOW_SIZE: Final = 200
"""The approximate size of a window, in characters."""
_WHITESPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the text, and the same as HTML: escaped except `<mark>`, without invisible or reordering characters."""

    start: int
    end: int
    marked: str


class Mark(NamedTuple):
    """A match in a text, and the word of the query that it matches."""

    start: int
    end: int
    word: str


def opening_window(text: str, start: int, size: int = WINDOW_SIZE) -> Window | None:
    """Return the window that begins here and ends with a whole word, without marks; None if no text follows."""
    part, rest = text[start : start + size], text[start + size :].strip()
    shown = part.rsplit(None, 1)[0] if rest and len(part.split()) > 1 else part.rstrip()
    return Window(start, start + len(shown), _clean_html(shown) + (ELLIPSIS if rest else "")) if shown else None


def best_windows(text: str, marks: Sequence[Mark], count: int, size: int, corrected: set[str]) -> list[tuple[int, int]]:
    """Return the bounds of the best windows, without overlaps."""
    chosen: list[tuple[int, int]] = []
    for _, _, first, last in sorted(_candidates(marks, size, corrected)):
        bounds = _widen(text, marks[first].start, marks[last].end, size)
        if all(bounds[1] <= start or end <= bounds[0] for start, end in chosen):
            chosen.append(bounds)
            if len(chosen) == count:
                break
    return chosen


def _candidates(marks: Sequence[Mark], size: int, corrected: set[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yield, for a window from each mark on, its first and last mark, after two keys that sort the best first.

    These are the negative numbers of distinct exact words and of all distinct words.
    """
    inside: Counter[str] = Counter()
    last = -1
    for first, mark in enumerate(marks):
        while last + 1 < len(marks) and (last < first or marks[last + 1].end <= mark.start + size):
            last += 1
            inside[marks[last].word] += 1
        yield -len(inside.keys() - corrected) if corrected else 0, -len(inside), first, last
        inside[mark.word] -= 1
        if not inside[mark.word]:
            del inside[mark.word]


def _widen(text: str, start: int, end: int, size: int) -> tuple[int, int]:
    """Widen a marked range to about the window size, ending at whole words."""
    spare = max(0, size - (end - start))
    left = max(0, min(start - spare // 2, len(text) - size))
    right = min(len(text), max(end + spare - (start - left), end))
    if left > 0:
        gap = _WHITESPACE.search(text, left - 1, start)
        left = gap.end() if gap else _unless_within_word(text, left, start)
    if right < len(text):
        gaps = [gap.start() for gap in _WHITESPACE.finditer(text, end, right + 1)]
        right = gaps[-1] if gaps else _unless_within_word(text, right, end)
    part = text[left:right]
    return left + len(part) - len(part.lstrip()), left + len(part.rstrip())


def _unless_within_word(text: str, at: int, otherwise: int) -> int:
    return otherwise if is_word_character(text[at - 1]) and is_word_character(text[at]) else at


def build_window(text: str, marks: Sequence[Mark], start: int, end: int) -> Window:
    """Return the window with these bounds."""
    parts: list[str] = []
    at = start
    first = bisect_left(marks, start, key=lambda mark: mark.start)
    last = bisect_right(marks, end, key=lambda mark: mark.end)
    for mark in marks[first:last]:
        parts += (_clean_html(text[at : mark.start]), "<mark>", _clean_html(text[mark.start : mark.end]), "</mark>")
        at = mark.end
    parts.append(_clean_html(text[at:end]))
    before = ELLIPSIS if text[:start].strip() else ""
    after = ELLIPSIS if text[end:].strip() else ""
    return Window(start, end, join_marks(f"{before}{''.join(parts)}{after}"))


def _clean_html(text: str) -> str:
    return escape(clean_text(text))
