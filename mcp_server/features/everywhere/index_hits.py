"""A search of one local index without pages, facets and suggestions."""

from typing import Final

from indexer.engines.port import SearchRequest, SearchResponse
from indexer.index.reading import read
from indexer.index.record import IndexRecord
from indexer.library import Library
from indexer.query.validate import validate
from indexer.query.validate_words import NO_CORRECTIONS, correctable_words
from indexer.search.corrections import find_corrections
from indexer.tenancy import IndexName, TeamId
from mcp_server.search_source import Question

_SNIPPETS: Final = 2
_NO_HITS: Final = SearchResponse([], 0, {})


async def index_hits(
    library: Library, team: TeamId, index: IndexName, question: Question, *, fuzzy: bool
) -> SearchResponse:
    """Return the best hits of one index with their texts; raises `NotFound` if the index was deleted."""

    async def search(record: IndexRecord) -> SearchResponse:
        target = record.serving_target()
        if target is None:
            return _NO_HITS
        corrections = NO_CORRECTIONS
        if fuzzy:
            words = correctable_words(question.clauses, record.definition.analysis)
            corrections = await find_corrections(library.engine.reader, target, words)
        validated = validate(question.clauses, record.definition, corrections=corrections)
        if validated.empty:
            return _NO_HITS
        request = SearchRequest(validated.query, size=question.depth, snippets=_SNIPPETS, text=True)
        return await library.engine.reader.search(target, request)

    return await read(library, team, index, search)
