"""Finds all matches of a query in one text, the same for both engines."""

from dataclasses import dataclass
from typing import Final

from indexer.engines.analyzers import stemmer
from indexer.engines.highlighter import Highlighter
from indexer.index.index import Snapshot, on_snapshot
from indexer.query.ast import Query
from indexer.query.parse_text import parse_text
from indexer.query.validate import validate
from indexer.query.validate_words import NO_CORRECTIONS, correctable_words
from indexer.schema.definition import Analysis, IndexDefinition
from indexer.schema.languages import NO_LANGUAGE
from indexer.search.corrections import find_corrections
from indexer.text.clean import clean_text
from indexer.threads import Check

_NO_INDEX: Final = IndexDefinition(kind="local", version=0, analysis=Analysis(language=NO_LANGUAGE))
"""For texts that no index of ours holds: words match as they are written, in any case."""


@dataclass(frozen=True, slots=True)
class Marking:
    """A query as one index understands it."""

    query: Query
    analysis: Analysis

    def matches(self, text: str, check: Check) -> list[tuple[int, int]]:
        """Return start and end of each match in the first million characters, in order, and of at most 20,000.

        Positions count code points. It may take a tenth of a second, or until `check` ends it.
        """
        highlighter = Highlighter(self.query, self.analysis, stemmer(self.analysis), check)
        return [(mark.start, mark.end) for mark in highlighter.find_marks(text)]


@on_snapshot
async def marking_of_index(snapshot: Snapshot, query: str) -> Marking:
    """Return what a fuzzy search of this index marks: words that occur nowhere are corrected."""
    clauses, definition = parse_text(clean_text(query)), snapshot.definition
    corrections = NO_CORRECTIONS
    if snapshot.target is not None:
        words = correctable_words(clauses, definition.analysis)
        corrections = await find_corrections(snapshot.reader, snapshot.target, words)
    return Marking(validate(clauses, definition, corrections=corrections).query, definition.analysis)


def plain_marking(query: str) -> Marking:
    """Return what matches the words, phrases and prefixes of a query as they are written."""
    return Marking(validate(parse_text(clean_text(query)), _NO_INDEX).query, _NO_INDEX.analysis)
