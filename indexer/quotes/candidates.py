"""The queries that find documents in which a quotation may stand."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from indexer.query.ast import Combined, Phrase, Query, Word
from indexer.schema.analysis import tokens
from indexer.schema.definition import Analysis

_MAX_PHRASE_TOKENS: Final = 24
"""A phrase of many equal words costs the engine the product of its length and of theirs in a document."""
_MAX_WORDS: Final = 32
_MAX_PAIRS: Final = 24


def phrase_query(quote: str, analysis: Analysis) -> Query | None:
    """Match documents with the beginning of a quotation as it is; None if the index has no words for it."""
    found = tokens(quote, analysis)
    return Phrase(tuple(found[:_MAX_PHRASE_TOKENS])) if found else None


def similar_query(quote: str, analysis: Analysis) -> Query | None:
    """Rank documents by the words of a quotation and by its pairs of neighbouring words."""
    found = tokens(quote, analysis)
    if not found:
        return None
    longest = sorted(dict.fromkeys(found), key=lambda token: -len(token))[:_MAX_WORDS]
    pairs = [Phrase(pair) for pair in _spread(list(dict.fromkeys(pairwise(found))), _MAX_PAIRS)]
    return Combined(any_of=tuple(Word(token) for token in longest), ranking=tuple(pairs))


def _spread(pairs: Sequence[tuple[str, str]], count: int) -> Sequence[tuple[str, str]]:
    """Choose some of them, evenly from beginning to end."""
    if len(pairs) <= count:
        return pairs
    return [pairs[number * len(pairs) // count] for number in range(count)]
