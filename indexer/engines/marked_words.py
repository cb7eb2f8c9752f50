"""Decides which tokens of a text a query highlights."""

from collections.abc import Callable, Iterator
from typing import assert_never

from indexer.engines.analyzers import Stem
from indexer.query.ast import (
    AnyValue,
    Combined,
    Corrected,
    Everything,
    Exists,
    Identified,
    Nothing,
    Phrase,
    Prefix,
    Query,
    StartsWith,
    Within,
    Word,
)


class MarkedWords:
    """The words, phrases, prefixes and corrections that a query highlights, each token passed through `normalise`."""

    def __init__(self, query: Query, stem: Stem, normalise: Callable[[str], str]) -> None:
        leaves = list(_leaves(query))
        self._stem = stem
        self.corrected = {leaf.token for leaf in leaves if isinstance(leaf, Corrected)}
        """Words of the query of which only corrections are marked."""
        self._stems = {
            stem(normalise(token)): leaf.token
            for leaf in leaves
            if isinstance(leaf, Corrected)
            for token in leaf.corrections
        }
        self._stems.update((stem(normalise(leaf.token)), leaf.token) for leaf in leaves if isinstance(leaf, Word))
        self._stems.pop(None, None)
        self._initials = {stemmed[0] for stemmed in self._stems if stemmed}
        self._exact = {
            normalise(leaf.tokens[0]) for leaf in leaves if isinstance(leaf, Phrase) and len(leaf.tokens) == 1
        }
        self.prefixes = tuple(normalise(leaf.token) for leaf in leaves if isinstance(leaf, Prefix))
        phrases = (leaf.tokens for leaf in leaves if isinstance(leaf, Phrase) and len(leaf.tokens) > 1)
        self.phrases = tuple(dict.fromkeys(tuple(map(normalise, phrase)) for phrase in phrases))
        """Phrases of several tokens."""
        self.has_single_tokens = bool(self._stems or self._exact)
        """Whether `matches` can yield a token."""

    def __bool__(self) -> bool:
        return bool(self.has_single_tokens or self.prefixes or self.phrases)

    def matches(self, tokens: set[str]) -> Iterator[tuple[str, str]]:
        """Yield each token that a single word of the query matches, with that word. Prefixes are not included."""
        for token in self._exact & tokens:
            yield token, token
        if self._stems:
            # The first letter preselects tokens: a stemmer changes endings, and of a first letter at most the accent.
            for token in [one for one in tokens if one[0] in self._initials or not one[0].isascii()]:
                if word := self._stems.get(self._stem(token)):
                    yield token, word


def _leaves(query: Query) -> Iterator[Word | Phrase | Prefix | Corrected]:
    """Yield the nodes to highlight. Ranking words that are part of a phrase are left to the phrase."""
    match query:
        case Word() | Phrase() | Prefix() | Corrected():
            yield query
        case Combined(must, any_of, ranking):
            leaves = [leaf for part in (*must, *any_of) for leaf in _leaves(part)]
            in_phrases = {token for leaf in leaves if isinstance(leaf, Phrase) for token in leaf.tokens}
            yield from leaves
            for part in ranking:
                for leaf in _leaves(part):
                    if not (isinstance(leaf, Word) and leaf.token in in_phrases):
                        yield leaf
        case Everything() | Nothing() | AnyValue() | Within() | Exists() | StartsWith() | Identified():
            return
        case _:
            assert_never(query)
