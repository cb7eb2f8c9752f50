"""Chooses the parts of a long text in which a quotation may stand, by its words that are rare there."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from indexer.quotes.words import Word

WHOLE_LENGTH: Final = 60_000
"""Texts up to this length are aligned as a whole."""
_MAX_WINDOWS: Final = 4
_MAX_COUNTED_WORDS: Final = 16
_MAX_ANCHORS: Final = 6
_MAX_OCCURRENCES: Final = 2_000
_MARGIN: Final = 300


def windows(quote: list[Word], text: str) -> list[tuple[int, int]]:
    """Return the starts and ends of the most promising parts, in order; they do not overlap."""
    if len(text) <= WHOLE_LENGTH:
        return [(0, len(text))]
    length = quote[-1].end - quote[0].start
    votes: dict[int, set[str]] = defaultdict(set)
    # Lowercasing must keep all offsets; this is the only character that becomes two.
    lowercase = text.replace("\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}", "I").lower()
    for word in _anchors(quote, lowercase):
        for position in _occurrences(word.text, lowercase):
            expected = max(0, position - (word.start - quote[0].start))
            votes[expected // (length + _MARGIN)].add(word.text)
    best = sorted(votes, key=lambda number: (-_support(votes, number), number))[:_MAX_WINDOWS]
    width = length + _MARGIN
    # A quotation may begin anywhere in its bin and be longer in the text.
    return _merged(sorted((max(0, (number - 1) * width), min(len(text), (number + 3) * width)) for number in best))


def _support(votes: dict[int, set[str]], number: int) -> int:
    return len(votes[number] | votes.get(number + 1, set()))


def _anchors(quote: list[Word], lowercase: str) -> list[Word]:
    """Return the words of the quotation that are rarest in the text; long words are rarely frequent."""
    distinct = {word.text: word for word in reversed(quote)}
    longest = sorted(distinct.values(), key=lambda word: (-len(word.text), word.start))[:_MAX_COUNTED_WORDS]
    counted = [(lowercase.count(word.text), word.start, word) for word in longest]
    return [word for count, _, word in sorted(counted, key=lambda entry: entry[:2]) if count][:_MAX_ANCHORS]


def _occurrences(word: str, lowercase: str) -> Iterator[int]:
    position = lowercase.find(word)
    for _ in range(_MAX_OCCURRENCES):
        if position < 0:
            return
        yield position
        position = lowercase.find(word, position + len(word))


def _merged(parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in parts:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
