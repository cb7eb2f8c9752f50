"""All of a team's local indices as one source."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from indexer.engines.port import Hit
from indexer.errors import NotFound, PlatformError, Unavailable
from indexer.library import Library
from indexer.tenancy import IndexName, Principal
from mcp_server.features.everywhere import document_fields as stated
from mcp_server.features.everywhere.matching import matching
from mcp_server.features.local.operations import DOCUMENT, SEARCH
from mcp_server.run import admitted
from mcp_server.search_source import Answer, Finding, Question, SearchSource
from mcp_server.services import Services

_AT_ONCE: Final = 8
_TITLE: Final = ("title", "name")


@dataclass(frozen=True, slots=True)
class _Searched:
    index: IndexName
    hits: list[Hit]
    error: PlatformError | None = None


async def ask_indices(services: Services, principal: Principal, question: Question) -> Answer:
    """Find documents in all indices; words that are only similar count where nothing has those asked for."""
    async with admitted(SEARCH, services, principal):
        return await _answer(services.library, principal, question)


SOURCE: Final = SearchSource("indices", SEARCH, ask_indices)


async def _answer(library: Library, principal: Principal, question: Question) -> Answer:
    records = await asyncio.to_thread(library.registry.of_team, principal.team)
    names = [record.index for record in records]
    searched = await _all(library, principal, question, names, fuzzy=False)
    is_close = not any(each.hits for each in searched)
    if is_close:
        searched = await _all(library, principal, question, names, fuzzy=True)
    found = _ranked(searched)[: question.depth]
    return Answer([_finding(index, hit, is_close=is_close) for index, hit in found], _trouble(searched))


async def _all(
    library: Library, principal: Principal, question: Question, names: list[IndexName], *, fuzzy: bool
) -> list[_Searched]:
    at_once = asyncio.Semaphore(_AT_ONCE)

    async def searched(name: IndexName) -> _Searched:
        async with at_once:
            try:
                return _Searched(name, await matching(library, principal.team, name, question, fuzzy=fuzzy))
            except NotFound:
                return _Searched(name, [])  # deleted since the list was made
            except PlatformError as error:
                return _Searched(name, [], error)  # one damaged index must not hide the others

    return list(await asyncio.gather(*map(searched, names)))


def _ranked(searched: list[_Searched]) -> list[tuple[IndexName, Hit]]:
    """Take the best of each index, then the second of each: scores of different indices decide only between equals."""
    placed = [
        ((rank, -hit.score, each.index, hit.id), each.index, hit)
        for each in searched
        for rank, hit in enumerate(each.hits)
    ]
    return [(index, hit) for _, index, hit in sorted(placed, key=lambda one: one[0])]


def _trouble(searched: list[_Searched]) -> PlatformError | None:
    failed = [each.error for each in searched if each.error is not None]
    if not failed:
        return None
    first = failed[0]
    if len(failed) == len(searched):
        return first
    return Unavailable(
        f"{len(failed)} of {len(searched)} indices could not be searched: {first.message}",
        action=first.action,
        details={"failed": [each.index for each in searched if each.error is not None]},
    )


def _finding(index: IndexName, hit: Hit, *, is_close: bool) -> Finding:
    metadata: dict[str, Any] = json.loads(hit.payload)
    url = stated.stated_url(metadata)
    return Finding(
        id=hit.id,
        title=stated.title(stated.text_of(metadata, _TITLE) or hit.id),
        snippet=stated.marked(hit.highlights[0] if hit.highlights else ""),
        url=url,
        keys=stated.keys_of(url, stated.stated_doi(metadata)),
        index_name=index,
        resource=DOCUMENT.format(index=index, id=quote(hit.id, safe="")),
        is_close=is_close,
    )
