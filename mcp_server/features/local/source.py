"""All local indices of a team as one source of `search_everywhere`."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from indexer.engines.port import Hit
from indexer.errors import NotFound, PlatformError, Unavailable
from indexer.library import Library
from indexer.local.mapping import stated_title
from indexer.tenancy import IndexName, Principal
from mcp_server.features.everywhere import document_fields
from mcp_server.features.everywhere.content_digest import content_digests
from mcp_server.features.everywhere.index_hits import index_hits
from mcp_server.features.local.operations import DOCUMENT_URI, GET, SEARCH
from mcp_server.run import admitted, run
from mcp_server.search_source import Answer, FetchedDocument, Finding, Question, SearchSource
from mcp_server.services import Services

_MAX_CONCURRENT: Final = 8


@dataclass(frozen=True, slots=True)
class _IndexHits:
    index: IndexName
    hits: list[Hit]
    total: int = 0
    error: PlatformError | None = None


async def ask_indices(services: Services, principal: Principal, question: Question) -> Answer:
    """Search all indices; fuzzily only if nothing matches exactly."""
    async with admitted(SEARCH, services, principal):
        return await _search(services.library, principal, question)


async def fetch_indexed(services: Services, principal: Principal, index_name: str | None, id_: str) -> FetchedDocument:
    """Return a document of an index, with its metadata."""
    result = await run(GET, services, principal, {"index_name": index_name, "doc_id": id_})
    metadata = result["metadata"]
    known = {"doc_id": id_, "revision": result["revision"]}
    url = document_fields.stated_url(metadata)
    return FetchedDocument(title_of(metadata, id_), result["content"], url, metadata | known)


SOURCE: Final = SearchSource("indices", SEARCH, ask_indices, fetch=fetch_indexed)


def title_of(metadata: Mapping[str, Any], id_: str) -> str:
    """Return the title that a document's metadata states, or else its ID."""
    return document_fields.title(stated_title(metadata) or id_)


async def _search(library: Library, principal: Principal, question: Question) -> Answer:
    records = await asyncio.to_thread(library.registry.usable, principal)
    names = [record.index for record in records]
    results = await _search_indices(library, principal, question, names, fuzzy=False)
    is_close = not any(each.hits for each in results)
    if is_close:
        results = await _search_indices(library, principal, question, names, fuzzy=True)
    best = _interleave(results)[: question.depth]
    findings = [_build_finding(index, hit, is_close=is_close) for index, hit in best]
    return Answer(findings, _failure_of(results), sum(each.total for each in results))


async def _search_indices(
    library: Library, principal: Principal, question: Question, names: list[IndexName], *, fuzzy: bool
) -> list[_IndexHits]:
    semaphore = asyncio.Semaphore(_MAX_CONCURRENT)

    async def search(name: IndexName) -> _IndexHits:
        async with semaphore:
            try:
                response = await index_hits(library, principal.team, name, question, fuzzy=fuzzy)
                return _IndexHits(name, response.hits, response.total)
            except NotFound:
                return _IndexHits(name, [])  # deleted after it was listed
            except PlatformError as error:
                return _IndexHits(name, [], error=error)  # one damaged index must not hide the hits of the others

    return list(await asyncio.gather(*map(search, names)))


def _interleave(results: list[_IndexHits]) -> list[tuple[IndexName, Hit]]:
    """Sort by rank; scores only break ties, because those of different indices are not comparable."""
    ranked = [
        ((rank, -hit.score, each.index, hit.id), each.index, hit)
        for each in results
        for rank, hit in enumerate(each.hits)
    ]
    return [(index, hit) for _, index, hit in sorted(ranked, key=lambda entry: entry[0])]


def _failure_of(results: list[_IndexHits]) -> PlatformError | None:
    failed = [each.error for each in results if each.error is not None]
    if not failed:
        return None
    first = failed[0]
    if len(failed) == len(results):
        return first
    return Unavailable(
        f"{len(failed)} of {len(results)} indices could not be searched: {first.message}",
        action=first.action,
        details={"failed": [each.index for each in results if each.error is not None]},
    )


def _build_finding(index: IndexName, hit: Hit, *, is_close: bool) -> Finding:
    metadata: dict[str, Any] = json.loads(hit.payload)
    url = document_fields.stated_url(metadata)
    return Finding(
        id=hit.id,
        title=title_of(metadata, hit.id),
        snippet=document_fields.marked(hit.highlights[0] if hit.highlights else ""),
        url=url,
        keys=document_fields.keys_of(url, document_fields.stated_doi(metadata)),
        contents=content_digests(hit.text),
        index_name=index,
        resource=DOCUMENT_URI.format(index=index, id=quote(hit.id, safe="")),
        is_close=is_close,
    )
