"""tantivy's analyzers. Both engines stem alike (docs/adr/0001), so their stemmer serves highlights on either."""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

from indexer.schema.analysis import LONGEST_TOKEN, token_pattern
from indexer.schema.definition import Analysis
from indexer.schema.languages import NO_LANGUAGE
from indexer.schema.range_codes import LONGEST_TERM, SHORTEST_TERM

Stem = Callable[[str], str | None]
"""Maps a token to its stem in the stemmed field; None for a token that is never indexed."""
_STEM_CACHE_SIZE: Final = 100_000


@cache
def build_analyzer(analysis: Analysis, *, stemmed: bool) -> TextAnalyzer:
    """Return the analyzer of the stemmed or of the unstemmed field."""
    builder = TextAnalyzerBuilder(Tokenizer.regex(token_pattern(analysis)))
    builder = builder.filter(Filter.remove_long(LONGEST_TOKEN + 1))  # tantivy keeps only tokens shorter than its limit
    if analysis.lowercase:
        builder = builder.filter(Filter.lowercase())
    if stemmed and analysis.language != NO_LANGUAGE:
        builder = builder.filter(Filter.stemmer(analysis.language))
    return builder.build()


@cache
def build_range_analyzer() -> TextAnalyzer:
    """Return the analyzer that finds a range code by each of its beginnings."""
    return TextAnalyzerBuilder(Tokenizer.ngram(SHORTEST_TERM, LONGEST_TERM, prefix_only=True)).build()


@cache
def stemmer(analysis: Analysis) -> Stem:
    """Return the function that stems a token as the stemmed field does."""
    stemmed = build_analyzer(analysis, stemmed=True)

    @lru_cache(_STEM_CACHE_SIZE)
    def stem(token: str) -> str | None:
        stems = stemmed.analyze(token)
        return stems[0] if len(stems) == 1 else None

    return stem
