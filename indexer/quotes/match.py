"""Matches a quotation with the text of one document; the work is bounded, however long and odd both are."""

from dataclasses import dataclass
from typing import Final

from indexer.quotes.alignment import align
from indexer.quotes.gaps import MAX_GAPPED_WORDS, align_with_gaps
from indexer.quotes.windows import windows
from indexer.quotes.words import Word, join_split_words, words_of

MAX_DIFFERENCE: Final = 0.5
"""Above it, a passage shares little more with a quotation than frequent words."""
_MAX_GAPPED_DIFFERENCE: Final = 0.34
"""Frequent words stand in order by chance if there may be gaps between them."""
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
    has_gaps: bool = False
    """Whether the text has more words in between; each gap counts as one word that differs."""

    @property
    def order(self) -> tuple[float, bool]:
        """The sort key: the closest first, of equals those without gaps."""
        return self.difference, self.has_gaps


def match_quote(quote: list[Word], text: str) -> QuoteMatch | None:
    """Return the best passages of a text; None if none is close enough."""
    best: QuoteMatch | None = None
    for start, end in windows(quote, text):
        found = _match_part(quote, text, start, end)
        if found is None or (best is not None and found.order > best.order):
            continue
        if best is not None and found.order == best.order:
            passages = [*best.passages, *found.passages][:MAX_PASSAGES]
            found = QuoteMatch(found.difference, passages, found.has_gaps)
        best = found
    return best


def _match_part(quote: list[Word], text: str, start: int, end: int) -> QuoteMatch | None:
    known = {word.text for word in quote}
    words = join_split_words(words_of(text, start, end), known)
    whole_quote = join_split_words(quote, {word.text for word in words})
    quote_texts, texts = [word.text for word in whole_quote], [word.text for word in words]
    alignment = align(quote_texts, texts, MAX_PASSAGES)
    most_gapped = _MAX_GAPPED_DIFFERENCE * len(whole_quote)
    has_gaps = False
    if alignment.distance > most_gapped and len(whole_quote) <= MAX_GAPPED_WORDS:
        gapped = align_with_gaps(quote_texts, texts)
        has_gaps = gapped.distance <= most_gapped
        alignment = gapped if has_gaps else alignment
    difference = alignment.distance / len(whole_quote)
    if not alignment.extents or difference > MAX_DIFFERENCE:
        return None
    passages = [Passage(words[extent.start].start, words[extent.end - 1].end) for extent in alignment.extents]
    return QuoteMatch(round(difference, 4), passages, has_gaps)
