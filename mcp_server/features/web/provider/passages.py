"""Finds the passage that a citation supports: the sentence or the line before its marker, without any marker."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from mcp_server.features.web.provider.markers import marker_spans
from mcp_server.features.web.provider.removal import Span, remove

_BLANK: Final = r"[^\S\n]"
_LINE: Final = re.compile(
    rf"{_BLANK}*+(?:(?:#{{1,6}}|>|[-*+\u2013\u2022]|\d{{1,3}}[.)]){_BLANK}++)*+(?P<words>[^\n]*)\n?"
)
"""A line; its words come after what makes it a heading, a quotation or an item of a list."""
_SENTENCE_END: Final = re.compile(
    r"[.!?\u2026]+[\"'\u00bb\u2018-\u201f)\]*_]*+(?=\s|$)"
    r"|[\u3002\uff01\uff1f]+[\u2018-\u201f\u300d\u300f\uff09]*+"  # of East Asia, where no blank follows
)
_ABBREVIATION: Final = re.compile(
    r"(?<!\w)(?:(?:[^\W\d_]\.)*[^\W\d_]|dr|mr|mrs|ms|prof|st|mt|no|nos|vs|cf|ca|approx|al|fig|eq|vol|ed|dept|inc|ltd|co"
    r"|corp|jr|sr|gen|gov|sen|rep|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.\Z",
    re.IGNORECASE,
)
_LONGEST_ABBREVIATION: Final = 12
_WORD: Final = re.compile(r"[^\W_]")
_NEXT: Final = re.compile(r"\s*+(.)")


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence that has words, and the line that it stands in."""

    line: int
    start: int
    first_word: int
    end: int


class Passages:
    """The sentences of a text, found by the citations in it."""

    def __init__(self, text: str, cited: Iterable[Span]) -> None:
        self._text, self._shifted = remove(text, marker_spans(text, cited))
        self._sentences = list(_sentences(self._text))
        self._starts = [sentence.start for sentence in self._sentences]
        self._words = [sentence.first_word for sentence in self._sentences]

    def supported_by(self, cited: Span) -> str:
        """Return the passage on one line; empty if the text has no words besides its markers.

        A citation that spans words supports the sentences of these words.
        """
        start, end = map(self._shifted, cited)
        if not self._sentences:
            return ""
        if (word := _WORD.search(self._text, start, end)) is not None:
            first = bisect_right(self._starts, word.start()) - 1
            last = bisect_left(self._words, end) - 1
        else:
            first = last = self._nearest(start)
        passage = " ".join(self._text[self._sentences[first].start : self._sentences[last].end].split())
        # A bold passage of several sentences is cut in the middle, and half of its markup says nothing.
        return passage.replace("**", "") if passage.count("**") % 2 else passage

    def _nearest(self, place: int) -> int:
        """Return the sentence before a marker in its line, else the one after it, else the last one before the line."""
        before = bisect_left(self._words, place) - 1
        line = self._text.rfind("\n", 0, place) + 1
        if before >= 0 and self._sentences[before].line == line:
            return before
        after = before + 1
        if after < len(self._sentences) and (before < 0 or self._sentences[after].line == line):
            return after
        return before


def _sentences(text: str) -> Iterator[_Sentence]:
    for line in _LINE.finditer(text):
        start, line_end = line.span("words")
        for end in (*_sentence_ends(text, start, line_end), line_end):
            if (word := _WORD.search(text, start, end)) is not None:
                yield _Sentence(line.start(), start, word.start(), end)
                start = end


def _sentence_ends(text: str, start: int, end: int) -> Iterator[int]:
    for match in _SENTENCE_END.finditer(text, start, end):
        following = _NEXT.match(text, match.end(), end)
        goes_on = following is not None and following[1].islower()
        if not goes_on and not _is_abbreviation(text, start, match):
            yield match.end()


def _is_abbreviation(text: str, start: int, end: re.Match[str]) -> bool:
    if end.group() != ".":
        return False
    return _ABBREVIATION.search(text, max(start, end.end() - _LONGEST_ABBREVIATION), end.end()) is not None
