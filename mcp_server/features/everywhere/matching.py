"""Asks one local index, without the pages, facets and suggestions of its own tool."""

from typing import Final

from indexer.engines.port import Hit, SearchRequest
from indexer.index.reading import read
from indexer.index.record import IndexRecord
from indexer.library import Library
from indexer.query.validate import validate
from indexer.tenancy import IndexName, TeamId
from mcp_server.search_source import Question

_SNIPPETS: Final = 2


async def matching(library: Library, team: TeamId, index: IndexName, question: Question, *, fuzzy: bool) -> list[Hit]:
    """Return the best hits; `NotFound` where the index is gone."""

    async def search(record: IndexRecord) -> list[Hit]:
        target = record.serving_target()
        checked = validate(question.clauses, record.definition, fuzzy=fuzzy)
        if checked.empty or target is None:
            return []
        wanted = SearchRequest(checked.query, size=question.depth, snippets=_SNIPPETS)
        return (await library.engine.reader.search(target, wanted)).hits

    return await read(library, team, index, search)
