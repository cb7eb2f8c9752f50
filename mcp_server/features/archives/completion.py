"""Suggestions for ids of archived documents."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from indexer.index.index import Index
from indexer.search.first_ids import first_ids
from indexer.tenancy import ARCHIVE_INDEX, Principal
from mcp_server.completion import MAX_SUGGESTIONS, Suggestions, starting_with
from mcp_server.features.everywhere.index_hits import index_hits
from mcp_server.search_source import question
from mcp_server.services import Services

_MAX_SEARCHED: Final = 1_000


async def complete_archive_id(
    services: Services, principal: Principal, text: str, _others: Mapping[str, str]
) -> Suggestions:
    """Suggest ids that start with the text, or else those of documents with its words, for example in their titles."""
    archive = Index(services.library, principal.team, ARCHIVE_INDEX)
    ids, are_all = await first_ids(archive, _MAX_SEARCHED)
    found = starting_with(text, ids, all_searched=are_all)
    if found.values or not text.strip():
        return found
    words = replace(question(text, MAX_SUGGESTIONS), detail="ids")
    hits = await index_hits(archive, services.library.known_fields, words, fuzzy=False)
    return Suggestions([hit.id for hit in hits.hits], total=hits.total)
