"""Tells from a request, before it runs, whether its search costs far more than usual."""

from typing import Final, assert_never

from indexer.engines.port import SearchRequest
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

EXPLAINED_HITS: Final = 50
"""So many hits of a page are explained: an explanation of a word takes longer than the search for it."""
_MAX_PHRASE_WORDS: Final = 100
"""Of all phrases together. An engine compares positions of each word, and cannot be interrupted in one document."""
_MAX_MARKED: Final = 10_000
"""Words times hits with highlights, or with scores of each word. About half a second on OpenSearch."""


def is_costly(request: SearchRequest) -> bool:
    """Return whether the search may take a thousand times as long as a usual one."""
    words, phrase_words = _words(request.query)
    marked = request.size if request.snippets or request.parts else 0
    explained = min(request.size, EXPLAINED_HITS) if request.explain else 0
    return phrase_words > _MAX_PHRASE_WORDS or words * (marked + 4 * explained) > _MAX_MARKED


def _words(query: Query) -> tuple[int, int]:
    """Return how many words the query has, and how many of them stand in phrases."""
    match query:
        case Word() | Prefix():
            return 1, 0
        case Phrase(tokens):
            return len(tokens), len(tokens)
        case Corrected(_, corrections):
            return len(corrections), 0
        case Combined(must, any_of, ranking, where, must_not):
            counts = [_words(part) for part in (*must, *any_of, *ranking, *where, *must_not)]
            return sum(words for words, _ in counts), sum(in_phrases for _, in_phrases in counts)
        case Everything() | Nothing() | AnyValue() | Within() | Exists() | StartsWith() | Identified():
            return 0, 0
        case _:
            assert_never(query)
