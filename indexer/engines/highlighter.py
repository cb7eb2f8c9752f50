"""The highlighter: marks the matches of a query in a text, and cuts windows of a long text around them.

It makes all highlights of the embedded engine. On both engines it marks the titles of archives and whole documents.

Matching each token of the text in turn would take longer than the search. So the text is split into pieces by the
fastest means, each distinct token is matched once, and then the text is searched only for the tokens that matched.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from indexer.engines.analyzers import Stem
from indexer.engines.marked_words import MarkedWords
from indexer.engines.windows import WINDOW_SIZE, Mark, Window, best_windows, build_window
from indexer.query.ast import Query
from indexer.schema.analysis import LOWERED_SPECIALLY, lowered, token_regex, tokens
from indexer.schema.characters import is_word_character, single_character_token
from indexer.schema.definition import Analysis

_MAX_SEARCHED: Final = 1_000_000
"""Characters of a text that are searched for matches."""
_SEPARATORS_TO_SPACES: Final = bytes(
    byte if byte > 127 or chr(byte).isalnum() or byte == ord("_") else 32 for byte in range(256)
)
"""A translation table that replaces ASCII bytes that are not part of tokens by spaces."""


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
        marks = self.find_marks(searched)
        best = best_windows(searched, marks, count, size, self._words.corrected)
        return [build_window(text, marks, start, end) for start, end in best]

    def mark(self, text: str) -> str | None:
        """Return a short text as HTML, whole; None if nothing in it matches."""
        marks = self.find_marks(text)
        return build_window(text, marks, 0, len(text)).marked if marks else None

    def find_marks(self, text: str) -> list[Mark]:
        """Return all matches in the first million characters of a text, in order and without overlaps."""
        return _without_overlaps(self._marks(self._normalise(text[:_MAX_SEARCHED]))) if self._words else []

    def _normalise(self, text: str) -> str:
        """Return the text in the form in which tokens are compared, with all characters at their positions."""
        if not self._analysis.lowercase:
            return text
        special, replacement = LOWERED_SPECIALLY
        return lowered(text.replace(special, replacement[0]))

    def _marks(self, text: str) -> Iterator[Mark]:
        if self._words.has_single_tokens:
            self._match_tokens(text)
        for token, word in self._matched.items():
            for start, end in _occurrences(text, token):
                yield Mark(start, end, word)
        yield from self._phrase_marks(text)
        for prefix in self._words.prefixes:
            for start, end in _prefix_occurrences(text, prefix):
                if end - start >= self._analysis.min_length or single_character_token().match(prefix):
                    yield Mark(start, end, prefix)

    def _phrase_marks(self, text: str) -> Iterator[Mark]:
        for first, phrases in self._words.phrases.items():
            for start, end in _occurrences(text, first):
                for phrase in phrases:
                    if (phrase_end := self._phrase_end(phrase, text, end)) is not None:
                        yield Mark(start, phrase_end, " ".join(phrase))

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
    is_whole_token = single_character_token().fullmatch(token) is not None
    end = 0
    while (start := text.find(token, end)) >= 0:
        end = start + len(token)
        if is_whole_token or not (
            (start > 0 and is_word_character(text[start - 1])) or (end < len(text) and is_word_character(text[end]))
        ):
            yield start, end


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
