"""All local indices of a team as one source of `search_everywhere`."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from indexer.engines.port import Hit
from indexer.engines.sorting import in_order
from indexer.errors import PlatformError, Unavailable
from indexer.library import Library
from indexer.local.mapping import metadata_of
from indexer.query.ast import SortKey
from indexer.search.sort_values import sort_values
from indexer.tenancy import IndexName, Principal
from mcp_server.features.everywhere import document_fields
from mcp_server.features.everywhere.own_documents import IndexOutcome, OwnDocuments, search_own_documents
from mcp_server.features.local.findings import indexed_finding, title_of
from mcp_server.features.local.operations import GET, SEARCH
from mcp_server.run import admitted, run
from mcp_server.search_source import Answer, FetchedDocument, Question, SearchSource
from mcp_server.services import Services


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


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A hit with its rank in its index, and its values of the sort keys."""

    index: IndexName
    hit: Hit
    rank: int
    values: tuple[str | None, ...]


async def _search(library: Library, principal: Principal, question: Question) -> Answer:
    records = await asyncio.to_thread(library.registry.usable, principal)
    own = await search_own_documents(library, principal.team, [record.index for record in records], question)
    best = _in_order(own, question)[: question.depth]
    findings = [indexed_finding(each.index, each.hit, is_close=own.is_close, values=each.values) for each in best]
    return Answer(findings, _failure_of(own.outcomes), own.total, own.facets, own.did_you_mean)


def _in_order(own: OwnDocuments, question: Question) -> list[_Ranked]:
    """Sort by value, or by rank; scores only break ties, because those of different indices are not comparable."""
    ranked = [each for outcome in own.outcomes for each in _ranked(outcome, question.sort)]
    if question.sort:
        return in_order(ranked, question.sort, lambda each: (*each.values, (each.hit.id, each.index)))
    return sorted(ranked, key=lambda each: (each.rank, -each.hit.score, each.index, each.hit.id))


def _ranked(outcome: IndexOutcome, keys: Sequence[SortKey]) -> Iterator[_Ranked]:
    found = outcome.found
    for rank, hit in enumerate(found.hits):
        values = sort_values(found.target.definition, metadata_of(hit.payload), keys) if found.target and keys else ()
        yield _Ranked(outcome.index, hit, rank, values)


def _failure_of(outcomes: Sequence[IndexOutcome]) -> PlatformError | None:
    failed = [each for each in outcomes if each.error is not None]
    if not failed:
        return None
    first = failed[0].error
    if len(failed) == len(outcomes) or first is None:
        return first
    return Unavailable(
        f"{len(failed)} of {len(outcomes)} indices could not be searched: {first.message}",
        action=first.action,
        details={"failed": [each.index for each in failed]},
    )
