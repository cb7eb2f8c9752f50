"""The highlighter: marks the matches of a query in a text, and cuts windows of a long text around them.

It makes all highlights of the embedded engine. On both engines it marks the titles of archives and whole documents.

Matching each token of the text in turn would take longer than the search. So the text is split into pieces by the
fastest means, each distinct token is matched once, and then the text is searched only for the tokens that matched.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from indexer.engines.analyzers import Stem
from indexer.engines.marked_words import MarkedWords
from indexer.engines.phrases import phrase_spans, token_spans
from indexer.engines.windows import WINDOW_SIZE, Mark, Window, best_windows, build_window
from indexer.query.ast import Query
from indexer.schema.analysis import LOWERED_SPECIALLY, lowered, token_regex, tokens
from indexer.schema.characters import is_word_character, single_character_token
from indexer.schema.definition import Analysis
from indexer.threads import Check

_MAX_SEARCHED: Final = 1_000_000
"""Characters of a text that are searched for matches."""
_MAX_SEARCHED_IN_ALL: Final = 20_000_000
"""The same for all texts of one highlighter."""
_MIN_SEARCHED: Final = 10_000
"""Characters that are searched of a text beyond that bound."""
_MAX_MARKS: Final = 20_000
"""Matches in one text; words of the query that occur more often than their share are marked in the beginning only."""
Spans = Iterable[tuple[int, int]]
_SEPARATORS_TO_SPACES: Final = bytes(
    byte if byte > 127 or chr(byte).isalnum() or byte == ord("_") else 32 for byte in range(256)
)
"""A translation table that replaces ASCII bytes that are not part of tokens by spaces."""


def _go_on() -> None:
    """Never end the work."""


class Highlighter:
    """Highlights the matches of one query in any number of texts; not thread-safe.

    Its work is bounded by amounts, and `check` may end it at any match. Titles are short, and need no check.
    """

    def __init__(self, query: Query, analysis: Analysis, stem: Stem, check: Check = _go_on) -> None:
        self._analysis = analysis
        self._check = check
        self._unsearched = _MAX_SEARCHED_IN_ALL
        self._as_lowered = replace(analysis, lowercase=False)
        self._words = MarkedWords(query, stem, _normalise_special if analysis.lowercase else str)
        self._seen: set[str] = set()
        self._matched: dict[str, str] = {}
        """Tokens that matched, each with the query's word that matched it."""

    def windows(self, text: str, count: int, size: int = WINDOW_SIZE) -> list[Window]:
        """Return at most `count` windows: those with most exact words first, then most words, then by position."""
        marks = self.find_marks(text)
        best = best_windows(text[:_MAX_SEARCHED], marks, count, size, self._words.corrected)
        return [build_window(text, marks, start, end) for start, end in best]

    def mark(self, text: str) -> str | None:
        """Return a short text as HTML, whole; None if nothing in it matches."""
        marks = self.find_marks(text)
        return build_window(text, marks, 0, len(text)).marked if marks else None

    def find_marks(self, text: str) -> list[Mark]:
        """Return the matches in the first million characters of a text, in order and without overlaps."""
        if not self._words:
            return []
        searched = self._normalise(text[: max(_MIN_SEARCHED, min(_MAX_SEARCHED, self._unsearched))])
        self._unsearched -= len(searched)
        spans = list(self._spans(searched))
        marks: list[Mark] = []
        for word, each in spans:
            for start, end in islice(each, _MAX_MARKS // len(spans)):
                self._check()
                marks.append(Mark(start, end, word))
        return _without_overlaps(marks)

    def _normalise(self, text: str) -> str:
        """Return the text in the form in which tokens are compared, with all characters at their positions."""
        if not self._analysis.lowercase:
            return text
        special, replacement = LOWERED_SPECIALLY
        return lowered(text.replace(special, replacement[0]))

    def _spans(self, text: str) -> Iterator[tuple[str, Spans]]:
        """Yield each word, phrase and prefix of the query with the places where it stands."""
        if self._words.has_single_tokens:
            self._match_tokens(text)
        for token, word in self._matched.items():
            yield word, token_spans(text, token)
        regex = token_regex(self._as_lowered)
        for phrase in self._words.phrases:
            yield " ".join(phrase), phrase_spans(text, phrase, regex, self._check)
        for prefix in self._words.prefixes:
            yield prefix, self._prefix_spans(text, prefix)

    def _prefix_spans(self, text: str, prefix: str) -> Iterator[tuple[int, int]]:
        is_single_token = single_character_token().match(prefix)
        for start, end in _prefix_occurrences(text, prefix):
            if is_single_token or end - start >= self._analysis.min_length:
                yield start, end

    def _match_tokens(self, text: str) -> None:
        """Match the text's tokens with the query; tokens of earlier texts are not matched again."""
        pieces = _pieces(text) - self._seen
        self._seen |= pieces
        ascii_tokens = {piece for piece in pieces if piece.isascii() and len(piece) >= self._analysis.min_length}
        others = " ".join(piece for piece in pieces if not piece.isascii())
        for token, word in self._words.matches(ascii_tokens.union(tokens(others, self._as_lowered))):
            self._matched.setdefault(token, word)


def _pieces(text: str) -> set[str]:
    """Return the distinct pieces between whitespace and ASCII punctuation. An ASCII piece is a whole token."""
    return set(
        text.encode("utf-8", "surrogatepass").translate(_SEPARATORS_TO_SPACES).decode("utf-8", "surrogatepass").split()
    )


def _normalise_special(token: str) -> str:
    special, replacement = LOWERED_SPECIALLY
    return token.replace(special, replacement[0]).replace(replacement, replacement[0])


def _prefix_occurrences(text: str, prefix: str) -> Iterator[tuple[int, int]]:
    """Yield the positions of words with this prefix. A single-character token is not extended to a word."""
    is_whole_token = single_character_token().match(prefix) is not None
    end = 0
    while (start := text.find(prefix, end)) >= 0:
        end = start + len(prefix)
        while not is_whole_token and end < len(text) and is_word_character(text[end]):
            end += 1
        if is_whole_token or start == 0 or not is_word_character(text[start - 1]):
            yield start, end


def _without_overlaps(marks: Iterable[Mark]) -> list[Mark]:
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept
