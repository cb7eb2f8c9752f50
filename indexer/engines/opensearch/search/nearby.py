"""Looks words up: whether their stems occur in a document, and which words of the index are near them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from elasticsearch_dsl import A, Search

from indexer.engines.opensearch.search.compile import EXACT, compile_query
from indexer.engines.port import WordCount
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
    """Return the body that counts the documents of each word, and suggests words near those that are missing."""
    suggest = {word: _suggester(word, edits) for word in words if (edits := max_edits(len(word)))}
    # Added at once, because the method `suggest` copies the whole search for each word.
    search = Search().extra(size=0, track_total_hits=False, suggest=suggest)
    filters = {word: compile_query(Word(word)) for word in words}
    search.aggs.bucket(_OCCURRING, A("filters", filters=filters))
    body: dict[str, Any] = search.to_dict()
    return body


def nearby_words_of(response: Mapping[str, Any]) -> dict[str, list[WordCount]]:
    """Return the words near each word whose stem occurs in no document."""
    buckets = response["aggregations"][_OCCURRING]["buckets"]
    suggestions = response.get("suggest", {})
    return {
        word: _nearby(word, suggestions.get(word, ())) for word, bucket in buckets.items() if not bucket["doc_count"]
    }


def _suggester(word: str, edits: int) -> dict[str, Any]:
    return {"text": word, "term": {**_SUGGESTER, "max_edits": edits}}


def _nearby(word: str, entries: Sequence[Mapping[str, Any]]) -> list[WordCount]:
    """Return the suggestions. OpenSearch counts edits in its own way for some letters, so they are counted again."""
    return [
        WordCount(option["text"], option["freq"])
        for entry in entries
        for option in entry["options"]
        if edits_between(word, option["text"], max_edits(len(word))) is not None
    ]
