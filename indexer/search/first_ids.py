"""The ids of a part of an index, to suggest them while a user types."""

from indexer.engines.port import SearchRequest
from indexer.index.reading import read
from indexer.index.record import IndexRecord
from indexer.library import Library
from indexer.query.ast import Everything
from indexer.tenancy import IndexName, TeamId


async def first_ids(library: Library, team: TeamId, index: IndexName, limit: int) -> tuple[list[str], bool]:
    """Return the ids of at most `limit` documents, sorted, and whether these are all."""

    async def search(record: IndexRecord) -> tuple[list[str], bool]:
        target = record.serving_target()
        if target is None:
            return [], True
        response = await library.engine.reader.search(target, SearchRequest(Everything(), size=limit, payload=False))
        return sorted(hit.id for hit in response.hits), response.total <= limit

    return await read(library, team, index, search)
