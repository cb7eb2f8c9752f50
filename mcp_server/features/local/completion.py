"""Suggestions for names of indices and ids of documents."""

import asyncio
from collections.abc import Mapping
from typing import Final

from indexer.index.index import Index
from indexer.local.names import index_to_read
from indexer.search.first_ids import first_ids
from indexer.tenancy import Principal
from mcp_server.completion import Suggestions, starting_with
from mcp_server.services import Services

_MAX_SEARCHED: Final = 1_000


async def complete_index(
    services: Services, principal: Principal, text: str, _others: Mapping[str, str]
) -> Suggestions:
    """Suggest the team's indices whose names start with the text."""
    records = await asyncio.to_thread(services.library.registry.usable, principal)
    return starting_with(text.lower(), [record.index for record in records])


async def complete_document(
    services: Services, principal: Principal, text: str, others: Mapping[str, str]
) -> Suggestions:
    """Suggest the ids of documents that start with the text, among the first of the index."""
    index = index_to_read(others.get("index"))
    if not principal.may_use(index):
        return Suggestions([], total=0)
    ids, are_all = await first_ids(Index(services.library, principal.team, index), _MAX_SEARCHED)
    return starting_with(text, ids, all_searched=are_all)
