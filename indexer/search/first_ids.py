"""The ids of a part of an index, to suggest them while a user types."""

from indexer.engines.port import SearchRequest
from indexer.index.index import Index
from indexer.query.ast import Everything


async def first_ids(index: Index, limit: int) -> tuple[list[str], bool]:
    """Return the ids of at most `limit` documents, sorted, and whether these are all."""
    response = await index.search(SearchRequest(Everything(), size=limit, payload=False))
    return sorted(hit.id for hit in response.hits), response.total <= limit
