"""Looks words up in tantivy's term dictionary, which can be asked for a term but not for the terms near one.

The words with one edit are tried one by one, which takes half a microsecond each. This finds those of the usual
letters. A fuzzy search then tells whether other documents have others, and these are read from their texts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Final

from tantivy import Occur, Query, Searcher

from indexer.engines.counts import WordCount
from indexer.engines.tantivy.documents import text_of
from indexer.engines.tantivy.schema import EXACT, IndexHandle
from indexer.engines.tantivy.search.compile import compile_word
from indexer.engines.tantivy.search.find import count_matches
from indexer.schema.analysis import max_edits, tokens
from indexer.text.edit_distance import edits_between
from indexer.threads import Check

_MAX_READ_DOCUMENTS: Final = 16
_MAX_READ_CHARACTERS: Final = 1_000_000


def find_nearby_words(
    handle: IndexHandle, searcher: Searcher, words: Sequence[str], check: Check
) -> dict[str, list[WordCount]]:
    """Return the words near each word whose stem occurs in no document."""
    dictionary = _Dictionary(handle, searcher, check)
    return {word: dictionary.nearby(word, max_edits(len(word))) for word in words if not dictionary.has_stem_of(word)}


@dataclass(frozen=True, slots=True)
class _Dictionary:
    """The words of one snapshot of an index."""

    handle: IndexHandle
    searcher: Searcher
    check: Check

    def has_stem_of(self, word: str) -> bool:
        self.check()
        return bool(self.searcher.search(compile_word(word, self.handle), limit=1, count=False).hits)

    def nearby(self, word: str, edits: int) -> list[WordCount]:
        if not edits:
            return []
        found = self._read(word, 1, self._one_edit_away(word))
        if not found and edits > 1:
            found = self._read(word, edits, set())
        counts = ((near, count_matches(self.searcher, self._term(near))) for near in sorted(found))
        # Terms of deleted documents are still in the dictionary.
        return [WordCount(near, documents) for near, documents in counts if documents]

    def _one_edit_away(self, word: str) -> set[str]:
        analysis = self.handle.definition.analysis
        letters = {*word, *ascii_lowercase, *("" if analysis.lowercase else ascii_uppercase)}
        return {variant for variant in _variants(word, letters) if self.searcher.doc_freq(EXACT, variant)}

    def _read(self, word: str, edits: int, found: set[str]) -> set[str]:
        """Return the words within so many edits: those found already, and those of documents with others."""
        near_word = Query.fuzzy_term_query(self.handle.schema, EXACT, word, edits, transposition_cost_one=True)
        complete = set(found)
        for _ in range(_MAX_READ_DOCUMENTS):
            self.check()
            known = [(Occur.MustNot, self._term(near)) for near in complete]
            others = Query.boolean_query([(Occur.Must, near_word), *known])
            hits = self.searcher.search(others, limit=1, count=False).hits
            if not hits:
                break
            text = text_of(self.searcher.doc(hits[0][1]))[:_MAX_READ_CHARACTERS]
            words = set(tokens(text, self.handle.definition.analysis))
            read = {token for token in words if _is_near(word, token, edits)}
            if read <= complete:
                break
            complete |= read
        return complete

    def _term(self, word: str) -> Query:
        return Query.term_query(self.handle.schema, EXACT, word)


def _variants(word: str, letters: set[str]) -> Iterator[str]:
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        yield before + after[1:]
        yield before + after[1:2] + after[:1] + after[2:]
        for letter in letters:
            yield before + letter + after
            yield before + letter + after[1:]


def _is_near(word: str, token: str, edits: int) -> bool:
    return edits_between(word, token, edits) is not None
