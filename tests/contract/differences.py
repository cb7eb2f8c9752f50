"""Where the two engines may differ, and why. What is not listed here must be the same."""

from dataclasses import dataclass
from typing import Final

SCORE_TOLERANCE: Final = 0.05
"""For the documents without a token among those that are compared, see below."""


@dataclass(frozen=True)
class Difference:
    """One thing that callers must not rely on."""

    what: str
    why: str


DIFFERENCES: Final = (
    Difference(
        "Scores in an index with documents that have no token at all",
        "tantivy counts them among the documents that a word could be in, Lucene does not",
    ),
    Difference(
        "The order of hits with equal scores",
        "both go by their own internal number of a document; a page by field goes by id on both",
    ),
    Difference(
        "Scores while an index has deleted or replaced documents that are not merged away yet",
        "both still count these in their statistics, and each merges when it likes",
    ),
    Difference("The wording of explanations", "they are the engines' own account of a score"),
    Difference(
        "Where a highlight of a long text starts and ends",
        "OpenSearch cuts fragments by its own rules; on tantivy the windows are ours. What is marked is the same",
    ),
    Difference(
        "The corrections of a word while the index has deleted documents with it, or with words near it",
        "OpenSearch's suggester knows the words of deleted documents until they are merged away; tantivy is asked for "
        "documents. For a minute OpenSearch's reader also takes a word that occurred to occur",
    ),
    Difference(
        "The corrections of a word that has very many near it",
        "OpenSearch suggests the best 50; tantivy finds words with other letters than a to z, and words with two "
        "edits, in at most 16 documents that have no nearer word",
    ),
    Difference(
        "Tokens of over 255 units: bytes of UTF-8 on tantivy and in token_count, UTF-16 units on OpenSearch",
        "the engines count so; no ordinary word is as long",
    ),
    Difference("size_bytes", "different files"),
    Difference(
        "Frozen views do not survive the process on tantivy and are not shared between processes",
        "a searcher lives in memory; the failure says to search again",
    ),
)
