"""Windows of a text around what a query matched there, for texts that no engine highlights itself.

Looking at each token in turn would take longer than the search. So the text is cut into pieces in the fastest way there
is, each different token in them is judged once, and only then is the text searched for those that count.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from typing import Final, NamedTuple

from indexer.engines.tantivy.search.marked_words import MarkedWords, Stem
from indexer.query.ast import Query
from indexer.schema.analysis import LOWERED_SPECIALLY, lowered, token_pattern, tokens
from indexer.schema.characters import escaped_class, ranges
from indexer.schema.definition import Analysis
from indexer.text.clean import clean_text

WINDOW: Final = 200
"""Characters that a window has, about."""
_SEARCHED: Final = 1_000_000
"""Characters of a text that are looked at."""
_CUT: Final = "…"
_BLANK: Final = re.compile(r"\s+")
_SPLITTING: Final = bytes(byte if byte > 127 or chr(byte).isalnum() or byte == ord("_") else 32 for byte in range(256))
"""Turns bytes of ASCII that are in no token into blanks."""


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the text, and the same as HTML: escaped but for `<mark>`, without characters that hide or reorder."""

    start: int
    end: int
    marked: str


class _Mark(NamedTuple):
    start: int
    end: int
    asked: str


class Highlighter:
    """Marks what one query asks for, in any number of texts; not for several threads at once."""

    def __init__(self, query: Query, analysis: Analysis, stem: Stem) -> None:
        self._analysis = analysis
        self._as_lowered = replace(analysis, lowercase=False)
        self._words = MarkedWords(query, stem, _plain if analysis.lowercase else str)
        self._seen: set[str] = set()
        self._asked: dict[str, str] = {}
        """Tokens to look for in texts, and the query's words that they stand for."""

    def windows(self, text: str, count: int, size: int = WINDOW) -> list[Window]:
        """Return at most so many windows, those with most of the query's words first, then from the start on."""
        if not self._words:
            return []
        searched = text[:_SEARCHED]
        marks = _without_overlaps(self._marks(self._comparable(searched)))
        return [_window(text, marks, start, end) for start, end in _best(searched, marks, count, size)]

    def _comparable(self, text: str) -> str:
        """Return the text as tokens are compared, with every character in its place."""
        if not self._analysis.lowercase:
            return text
        special, replacement = LOWERED_SPECIALLY
        return lowered(text.replace(special, replacement[0]))

    def _marks(self, text: str) -> Iterator[_Mark]:
        if self._words.single:
            self._judge(text)
        for token, asked in self._asked.items():
            for start, end in _occurrences(text, token):
                yield _Mark(start, end, asked)
        yield from self._phrase_marks(text)
        for prefix in self._words.prefixes:
            for start, end in _beginnings(text, prefix):
                if end - start >= self._analysis.min_length or _single().match(prefix):
                    yield _Mark(start, end, prefix)

    def _phrase_marks(self, text: str) -> Iterator[_Mark]:
        for first, phrases in self._words.phrases.items():
            for start, end in _occurrences(text, first):
                for phrase in phrases:
                    if (last := self._end_of(phrase, text, end)) is not None:
                        yield _Mark(start, last, " ".join(phrase))

    def _judge(self, text: str) -> None:
        """Find out which of the text's tokens are asked for, looking only at those that no text before had."""
        pieces = _pieces(text) - self._seen
        self._seen |= pieces
        found = {piece for piece in pieces if piece.isascii() and len(piece) >= self._analysis.min_length}
        others = " ".join(piece for piece in pieces if not piece.isascii())
        for token, asked in self._words.matches(found.union(tokens(others, self._as_lowered))):
            self._asked.setdefault(token, asked)

    def _end_of(self, phrase: Sequence[str], text: str, at: int) -> int | None:
        """Return where the phrase ends whose first token ends here, None if the text goes on otherwise."""
        for token in phrase[1:]:
            found = _pattern(self._as_lowered).search(text, at)
            if found is None or found[0] != token:
                return None
            at = found.end()
        return at


def _pieces(text: str) -> set[str]:
    """Return the text's different parts between blanks and ASCII punctuation: whole tokens, where they are ASCII."""
    return set(text.encode("utf-8", "surrogatepass").translate(_SPLITTING).decode("utf-8", "surrogatepass").split())


def _plain(token: str) -> str:
    special, replacement = LOWERED_SPECIALLY
    return token.replace(special, replacement[0]).replace(replacement, replacement[0])


def _occurrences(text: str, token: str) -> Iterator[tuple[int, int]]:
    """Yield where the text has this token, and not only its letters within a longer one."""
    alone = _single().fullmatch(token) is not None
    end = 0
    while (start := text.find(token, end)) >= 0:
        end = start + len(token)
        if alone or not ((start > 0 and _is_word(text[start - 1])) or (end < len(text) and _is_word(text[end]))):
            yield start, end


def _beginnings(text: str, prefix: str) -> Iterator[tuple[int, int]]:
    """Yield where the text has words that start so; a character that is a token by itself goes no further."""
    alone = _single().match(prefix) is not None
    end = 0
    while (start := text.find(prefix, end)) >= 0:
        end = start + len(prefix)
        while not alone and end < len(text) and _is_word(text[end]):
            end += 1
        if alone or start == 0 or not _is_word(text[start - 1]):
            yield start, end


def _without_overlaps(marks: Iterable[_Mark]) -> list[_Mark]:
    kept: list[_Mark] = []
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept


def _best(text: str, marks: Sequence[_Mark], count: int, size: int) -> list[tuple[int, int]]:
    """Return the bounds of the best windows that do not overlap."""
    chosen: list[tuple[int, int]] = []
    for _, first, last in sorted(_candidates(marks, size)):
        bounds = _bounds(text, marks[first].start, marks[last].end, size)
        if all(bounds[1] <= start or end <= bounds[0] for start, end in chosen):
            chosen.append(bounds)
            if len(chosen) == count:
                break
    return chosen


def _candidates(marks: Sequence[_Mark], size: int) -> Iterator[tuple[int, int, int]]:
    """Yield, for a window from each mark on, the (negative) number of different words, and the first and last mark."""
    inside: Counter[str] = Counter()
    last = -1
    for first, mark in enumerate(marks):
        while last + 1 < len(marks) and (last < first or marks[last + 1].end <= mark.start + size):
            last += 1
            inside[marks[last].asked] += 1
        yield -len(inside), first, last
        inside[mark.asked] -= 1
        if not inside[mark.asked]:
            del inside[mark.asked]


def _bounds(text: str, start: int, end: int, size: int) -> tuple[int, int]:
    """Widen what is marked to about the size, to whole words."""
    spare = max(0, size - (end - start))
    left = max(0, min(start - spare // 2, len(text) - size))
    right = min(len(text), max(end + spare - (start - left), end))
    if left > 0:
        blank = _BLANK.search(text, left - 1, start)
        left = blank.end() if blank else _unless_within_word(text, left, start)
    if right < len(text):
        blanks = [blank.start() for blank in _BLANK.finditer(text, end, right + 1)]
        right = blanks[-1] if blanks else _unless_within_word(text, right, end)
    part = text[left:right]
    return left + len(part) - len(part.lstrip()), left + len(part.rstrip())


def _unless_within_word(text: str, at: int, instead: int) -> int:
    return instead if _is_word(text[at - 1]) and _is_word(text[at]) else at


def _window(text: str, marks: Sequence[_Mark], start: int, end: int) -> Window:
    parts: list[str] = []
    at = start
    first = bisect_left(marks, start, key=lambda mark: mark.start)
    last = bisect_right(marks, end, key=lambda mark: mark.end)
    for mark in marks[first:last]:
        parts += (_html(text[at : mark.start]), "<mark>", _html(text[mark.start : mark.end]), "</mark>")
        at = mark.end
    parts.append(_html(text[at:end]))
    before = _CUT if text[:start].strip() else ""
    after = _CUT if text[end:].strip() else ""
    return Window(start, end, f"{before}{''.join(parts)}{after}")


def _html(text: str) -> str:
    return escape(clean_text(text))


def _is_word(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character == "_"
    return _word().match(character) is not None


@cache
def _word() -> re.Pattern[str]:
    return re.compile(escaped_class(ranges("word")))


@cache
def _single() -> re.Pattern[str]:
    return re.compile(escaped_class(ranges("single")))


@cache
def _pattern(analysis: Analysis) -> re.Pattern[str]:
    return re.compile(token_pattern(analysis))
