"""Matches a quotation with the text of one document; the work is bounded, however long and odd both are."""

from dataclasses import dataclass
from typing import Final

from indexer.quotes.alignment import align
from indexer.quotes.windows import windows
from indexer.quotes.words import Word, join_split_words, words_of

MAX_DIFFERENCE: Final = 0.5
"""Above it, a passage shares little more with a quotation than frequent words."""
MAX_PASSAGES: Final = 10


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a text, by its offsets."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """The passages of a text that are closest to a quotation, in order."""

    difference: float
    """The number of words that differ, by the number of words of the quotation."""
    passages: list[Passage]


def match_quote(quote: list[Word], text: str) -> QuoteMatch | None:
    """Return the best passages of a text; None if none is close enough."""
    best: QuoteMatch | None = None
    for start, end in windows(quote, text):
        found = _match_part(quote, text, start, end)
        if found is None or (best is not None and found.difference > best.difference):
            continue
        if best is not None and found.difference == best.difference:
            found = QuoteMatch(best.difference, [*best.passages, *found.passages][:MAX_PASSAGES])
        best = found
    return best


def _match_part(quote: list[Word], text: str, start: int, end: int) -> QuoteMatch | None:
    known = {word.text for word in quote}
    words = join_split_words(words_of(text, start, end), known)
    whole_quote = join_split_words(quote, {word.text for word in words})
    alignment = align([word.text for word in whole_quote], [word.text for word in words], MAX_PASSAGES)
    difference = alignment.distance / len(whole_quote)
    if not alignment.extents or difference > MAX_DIFFERENCE:
        return None
    passages = [Passage(words[extent.start].start, words[extent.end - 1].end) for extent in alignment.extents]
    return QuoteMatch(round(difference, 4), passages)
