"""Which tokens of a text a query asks to have marked."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, assert_never

from indexer.query.ast import (
    AnyValue,
    Combined,
    Everything,
    Exists,
    Fuzzy,
    Identified,
    Nothing,
    Phrase,
    Prefix,
    Query,
    StartsWith,
    Within,
    Word,
)
from indexer.text.edit_distance import edits_between

Stem = Callable[[str], str | None]
"""From a token to its form in a stemmed field; None for what is never indexed."""
_KNOWN_DISTANCES: Final = 100_000


class MarkedWords:
    """The words, phrases, prefixes and fuzzy words of a query that are not excluded; `plain` is put over each token."""

    def __init__(self, query: Query, stem: Stem, plain: Callable[[str], str]) -> None:
        leaves = list(_leaves(query))
        self._stem = stem
        self._stems = {stem(plain(leaf.token)): leaf.token for leaf in leaves if isinstance(leaf, Word)}
        self._stems.pop(None, None)
        self._initials = {found[0] for found in self._stems if found}
        self._exact = {plain(leaf.tokens[0]) for leaf in leaves if isinstance(leaf, Phrase) and len(leaf.tokens) == 1}
        self.prefixes = tuple(plain(leaf.token) for leaf in leaves if isinstance(leaf, Prefix))
        self._fuzzy = [(plain(leaf.token), leaf.edits) for leaf in leaves if isinstance(leaf, Fuzzy)]
        phrases = [tuple(map(plain, leaf.tokens)) for leaf in leaves if isinstance(leaf, Phrase)]
        self.single = bool(self._stems or self._exact or self._fuzzy)
        """Whether `matches` can yield anything."""
        self.phrases: dict[str, list[tuple[str, ...]]] = {}
        """Those of several tokens, by their first one."""
        for phrase in phrases:
            if len(phrase) > 1:
                self.phrases.setdefault(phrase[0], []).append(phrase)

    def __bool__(self) -> bool:
        return bool(self.single or self.prefixes or self.phrases)

    def matches(self, tokens: set[str]) -> Iterator[tuple[str, str]]:
        """Yield those tokens that a word of the query matches by itself, with that word; prefixes are left out."""
        for token in self._exact & tokens:
            yield token, token
        if self._stems:
            # Stemmers cut and change endings, and at most the accent of a first letter.
            for token in [one for one in tokens if one[0] in self._initials or not one[0].isascii()]:
                if asked := self._stems.get(self._stem(token)):
                    yield token, asked
        for asked, edits in self._fuzzy:
            shortest, longest = len(asked) - edits, len(asked) + edits
            letters = set(asked)
            for token in [one for one in tokens if shortest <= len(one) <= longest]:
                if len(letters.difference(token)) <= edits and _within(token, asked, edits):
                    yield token, asked


@lru_cache(_KNOWN_DISTANCES)
def _within(token: str, asked: str, edits: int) -> bool:
    return edits_between(token, asked, edits) is not None


def _leaves(query: Query) -> Iterator[Word | Phrase | Prefix | Fuzzy]:
    """Yield what may be marked. Words that only rank for a phrase of theirs are left to the phrase."""
    match query:
        case Word() | Phrase() | Prefix() | Fuzzy():
            yield query
        case Combined(must, any_of, ranking):
            found = [leaf for part in (*must, *any_of) for leaf in _leaves(part)]
            in_phrases = {token for leaf in found if isinstance(leaf, Phrase) for token in leaf.tokens}
            yield from found
            for part in ranking:
                for leaf in _leaves(part):
                    if not (isinstance(leaf, Word) and leaf.token in in_phrases):
                        yield leaf
        case Everything() | Nothing() | AnyValue() | Within() | Exists() | StartsWith() | Identified():
            return
        case _:
            assert_never(query)
