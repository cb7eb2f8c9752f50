"""The best hits of one local index for a question."""

from collections.abc import Mapping
from typing import Final

from indexer.archives.highlights import FRAGMENTS
from indexer.arguments import Detail
from indexer.index.index import Snapshot, on_snapshot
from indexer.index.known_fields import KnownFields
from indexer.library import Library
from indexer.search.top_hits import TopHits, TopHitsRequest, suggest_for, top_hits
from mcp_server.search_source import Question

_SNIPPETS: Final[Mapping[Detail, int]] = {"ids": 0, "brief": 2, "full": FRAGMENTS}
"""How many to request of the engine; the first may show nothing but the title."""


@on_snapshot
async def index_hits(snapshot: Snapshot, known_fields: KnownFields, question: Question, *, fuzzy: bool) -> TopHits:
    """Return the best hits of one index with their texts; raises `NotFound` if the index was deleted."""
    if snapshot.target is None:
        return TopHits()
    return await top_hits(snapshot.reader, known_fields, snapshot.target, _request(question), fuzzy=fuzzy)


async def suggestion(library: Library, found: TopHits, question: Question, *, is_close: bool) -> str | None:
    """Return a corrected query with more exact matches in the index than a search of it found, or None."""
    if found.target is None or found.query is None:
        return None
    total, corrections = (0, found.corrections) if is_close else (found.total, None)
    return await suggest_for(library.engine.reader, found.target, _request(question), total=total, found=corrections)


def _request(question: Question) -> TopHitsRequest:
    return TopHitsRequest(
        clauses=question.clauses,
        size=question.depth,
        filters=question.filters,
        sort=question.sort,
        facets=question.facets,
        snippets=_SNIPPETS[question.detail],
        parts=question.explain and question.detail == "full",
    )
