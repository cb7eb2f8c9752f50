"""The highlighter: marks the matches of a query in a text, and cuts windows of a long text around them.

It makes all highlights of the embedded engine, and marks the titles of archives on both engines.

Matching each token of the text in turn would take longer than the search. So the text is split into pieces by the
fastest means, each distinct token is matched once, and then the text is searched only for the tokens that matched.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from typing import Final, NamedTuple

from indexer.engines.analyzers import Stem
from indexer.engines.marked_words import MarkedWords
from indexer.query.ast import Query
from indexer.schema.analysis import LOWERED_SPECIALLY, lowered, token_regex, tokens
from indexer.schema.characters import escaped_class, ranges
from indexer.schema.definition import Analysis
from indexer.text.clean import clean_text
from indexer.text.marks import ELLIPSIS, join_marks

WINDOW_SIZE: Final = 200
"""The approximate size of a window, in characters."""
_MAX_SEARCHED: Final = 1_000_000
"""Characters of a text that are searched for matches."""
_WHITESPACE: Final = re.compile(r"\s+")
_SEPARATORS_TO_SPACES: Final = bytes(
    byte if byte > 127 or chr(byte).isalnum() or byte == ord("_") else 32 for byte in range(256)
)
"""A translation table that replaces ASCII bytes that are not part of tokens by spaces."""


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the text, and the same as HTML: escaped except `<mark>`, without invisible or reordering characters."""

    start: int
    end: int
    marked: str


class _Mark(NamedTuple):
    start: int
    end: int
    word: str


class Highlighter:
    """Highlights the matches of one query in any number of texts; not thread-safe."""

    def __init__(self, query: Query, analysis: Analysis, stem: Stem) -> None:
        self._analysis = analysis
        self._as_lowered = replace(analysis, lowercase=False)
        self._words = MarkedWords(query, stem, _normalise_special if analysis.lowercase else str)
        self._seen: set[str] = set()
        self._matched: dict[str, str] = {}
        """Tokens that matched, each with the query's word that matched it."""

    def windows(self, text: str, count: int, size: int = WINDOW_SIZE) -> list[Window]:
        """Return at most `count` windows: those with most exact words first, then most words, then by position."""
        searched = text[:_MAX_SEARCHED]
        marks = self._find_marks(searched)
        best = _best_windows(searched, marks, count, size, self._words.corrected)
        return [_build_window(text, marks, start, end) for start, end in best]

    def mark(self, text: str) -> str | None:
        """Return a short text as HTML, whole; None if nothing in it matches."""
        marks = self._find_marks(text)
        return _build_window(text, marks, 0, len(text)).marked if marks else None

    def _find_marks(self, text: str) -> list[_Mark]:
        return _without_overlaps(self._marks(self._normalise(text))) if self._words else []

    def _normalise(self, text: str) -> str:
        """Return the text in the form in which tokens are compared, with all characters at their positions."""
        if not self._analysis.lowercase:
            return text
        special, replacement = LOWERED_SPECIALLY
        return lowered(text.replace(special, replacement[0]))

    def _marks(self, text: str) -> Iterator[_Mark]:
        if self._words.has_single_tokens:
            self._match_tokens(text)
        for token, word in self._matched.items():
            for start, end in _occurrences(text, token):
                yield _Mark(start, end, word)
        yield from self._phrase_marks(text)
        for prefix in self._words.prefixes:
            for start, end in _prefix_occurrences(text, prefix):
                if end - start >= self._analysis.min_length or _single_character_token().match(prefix):
                    yield _Mark(start, end, prefix)

    def _phrase_marks(self, text: str) -> Iterator[_Mark]:
        for first, phrases in self._words.phrases.items():
            for start, end in _occurrences(text, first):
                for phrase in phrases:
                    if (phrase_end := self._phrase_end(phrase, text, end)) is not None:
                        yield _Mark(start, phrase_end, " ".join(phrase))

    def _match_tokens(self, text: str) -> None:
        """Match the text's tokens with the query; tokens of earlier texts are not matched again."""
        pieces = _pieces(text) - self._seen
        self._seen |= pieces
        ascii_tokens = {piece for piece in pieces if piece.isascii() and len(piece) >= self._analysis.min_length}
        others = " ".join(piece for piece in pieces if not piece.isascii())
        for token, word in self._words.matches(ascii_tokens.union(tokens(others, self._as_lowered))):
            self._matched.setdefault(token, word)

    def _phrase_end(self, phrase: Sequence[str], text: str, at: int) -> int | None:
        """Return where the phrase ends if its first token ends at `at`; None if the next tokens differ."""
        for token in phrase[1:]:
            match = token_regex(self._as_lowered).search(text, at)
            if match is None or match[0] != token:
                return None
            at = match.end()
        return at


def opening_window(text: str, start: int, size: int = WINDOW_SIZE) -> Window | None:
    """Return the window that begins here and ends with a whole word, without marks; None if no text follows."""
    part, rest = text[start : start + size], text[start + size :].strip()
    shown = part.rsplit(None, 1)[0] if rest and len(part.split()) > 1 else part.rstrip()
    return Window(start, start + len(shown), _clean_html(shown) + (ELLIPSIS if rest else "")) if shown else None


def _pieces(text: str) -> set[str]:
    """Return the distinct pieces between whitespace and ASCII punctuation. An ASCII piece is a whole token."""
    return set(
        text.encode("utf-8", "surrogatepass").translate(_SEPARATORS_TO_SPACES).decode("utf-8", "surrogatepass").split()
    )


def _normalise_special(token: str) -> str:
    special, replacement = LOWERED_SPECIALLY
    return token.replace(special, replacement[0]).replace(replacement, replacement[0])


def _occurrences(text: str, token: str) -> Iterator[tuple[int, int]]:
    """Yield the positions of this token, but not of the same letters within a longer token."""
    is_whole_token = _single_character_token().fullmatch(token) is not None
    end = 0
    while (start := text.find(token, end)) >= 0:
        end = start + len(token)
        if is_whole_token or not (
            (start > 0 and _is_word_character(text[start - 1])) or (end < len(text) and _is_word_character(text[end]))
        ):
            yield start, end


def _prefix_occurrences(text: str, prefix: str) -> Iterator[tuple[int, int]]:
    """Yield the positions of words with this prefix. A single-character token is not extended to a word."""
    is_whole_token = _single_character_token().match(prefix) is not None
    end = 0
    while (start := text.find(prefix, end)) >= 0:
        end = start + len(prefix)
        while not is_whole_token and end < len(text) and _is_word_character(text[end]):
            end += 1
        if is_whole_token or start == 0 or not _is_word_character(text[start - 1]):
            yield start, end


def _without_overlaps(marks: Iterable[_Mark]) -> list[_Mark]:
    kept: list[_Mark] = []
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept


def _best_windows(
    text: str, marks: Sequence[_Mark], count: int, size: int, corrected: set[str]
) -> list[tuple[int, int]]:
    """Return the bounds of the best windows, without overlaps."""
    chosen: list[tuple[int, int]] = []
    for _, _, first, last in sorted(_candidates(marks, size, corrected)):
        bounds = _widen(text, marks[first].start, marks[last].end, size)
        if all(bounds[1] <= start or end <= bounds[0] for start, end in chosen):
            chosen.append(bounds)
            if len(chosen) == count:
                break
    return chosen


def _candidates(marks: Sequence[_Mark], size: int, corrected: set[str]) -> Iterator[tuple[int, int, int, int]]:
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
    return otherwise if _is_word_character(text[at - 1]) and _is_word_character(text[at]) else at


def _build_window(text: str, marks: Sequence[_Mark], start: int, end: int) -> Window:
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


def _is_word_character(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character == "_"
    return _word_character().match(character) is not None


@cache
def _word_character() -> re.Pattern[str]:
    return re.compile(escaped_class(ranges("word")))


@cache
def _single_character_token() -> re.Pattern[str]:
    return re.compile(escaped_class(ranges("single")))
