"""Looks words up: whether their stems occur in a document, and which words of the index are near them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from elasticsearch_dsl import A, Search
from elasticsearch_dsl import query as dsl

from indexer.engines.counts import WordCount
from indexer.engines.opensearch.search.compile import EXACT, compile_query
from indexer.query.ast import Word
from indexer.schema.analysis import max_edits
from indexer.text.edit_distance import edits_between

_OCCURRING: Final = "occurring"
_MAX_SUGGESTIONS: Final = 50
_SUGGESTER: Final = {
    "field": EXACT,
    "suggest_mode": "missing",
    "prefix_length": 0,
    "min_word_length": 1,
    "size": _MAX_SUGGESTIONS,
}
"""`missing` spares the search for words near one that occurs as written; the others are few."""


def nearby_words_body(words: Sequence[str]) -> dict[str, Any]:
    """Return the body that counts the documents of each word, and suggests words with one edit to those missing."""
    filters = {word: compile_query(Word(word)) for word in words}
    # Only documents with one of the words are counted: with `match_all`, the cluster would look at all of them.
    search = Search().query(dsl.Bool(should=list(filters.values())))
    # The total is enough for one word, which is the usual case, and saves a sixth of the time.
    search = search.extra(size=0, track_total_hits=1, suggest=_suggesters(words, 1))
    if len(words) > 1:
        search.aggs.bucket(_OCCURRING, A("filters", filters=filters))
    body: dict[str, Any] = search.to_dict()
    return body


def distant_words_body(words: Sequence[str]) -> dict[str, Any]:
    """Return the body that suggests words with two edits. It is slower, and seldom needed."""
    body: dict[str, Any] = Search().extra(size=0, suggest=_suggesters(words, 2)).to_dict()
    return body


def missing_words(response: Mapping[str, Any], words: Sequence[str]) -> list[str]:
    """Return those of the words that were looked up whose stem occurs in no document."""
    if len(words) == 1:
        return [] if response["hits"]["total"]["value"] else list(words)
    buckets = response["aggregations"][_OCCURRING]["buckets"]
    return [word for word, bucket in buckets.items() if not bucket["doc_count"]]


def suggested_words(response: Mapping[str, Any], words: Sequence[str]) -> dict[str, list[WordCount]]:
    """Return the words that are suggested for each of these words."""
    suggestions = response.get("suggest", {})
    return {word: _nearby(word, suggestions.get(word, ())) for word in words}


def _suggesters(words: Sequence[str], edits: int) -> dict[str, Any]:
    """Return one suggester for each word that may have so many edits."""
    suggester = {"term": {**_SUGGESTER, "max_edits": edits}}
    # Added to a search at once, because its method `suggest` copies the whole search for each word.
    return {word: {"text": word, **suggester} for word in words if max_edits(len(word)) >= edits}


def _nearby(word: str, entries: Sequence[Mapping[str, Any]]) -> list[WordCount]:
    """Return the suggestions. OpenSearch counts edits in its own way for some letters, so they are counted again."""
    return [
        WordCount(option["text"], option["freq"])
        for entry in entries
        for option in entry["options"]
        if edits_between(word, option["text"], max_edits(len(word))) is not None
    ]
