"""A search of several local indices: exact, and fuzzy only if nothing in any of them matches exactly."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from indexer.errors import NotFound, PlatformError
from indexer.index.index import Index
from indexer.library import Library
from indexer.search.facets import FacetValues
from indexer.search.suggest import MAX_TOTAL
from indexer.search.top_hits import TopHits
from indexer.tenancy import IndexName, TeamId
from mcp_server.features.everywhere.index_hits import index_hits, suggestion
from mcp_server.search_source import Question

_MAX_CONCURRENT: Final = 8
_MAX_SUGGESTING: Final = 8
"""How many indices are asked for a corrected query, those with most matches first."""


@dataclass(frozen=True, slots=True)
class IndexOutcome:
    """What became of the search of one index."""

    index: IndexName
    found: TopHits
    error: PlatformError | None = None


@dataclass(frozen=True, slots=True)
class OwnDocuments:
    """The outcomes of all indices, in their order."""

    outcomes: list[IndexOutcome]
    is_close: bool
    """Whether the hits match only by fuzzy search."""
    did_you_mean: str | None

    @property
    def total(self) -> int:
        return sum(each.found.total for each in self.outcomes)

    @property
    def facets(self) -> list[FacetValues]:
        return [each.found.facets for each in self.outcomes]


async def search_own_documents(
    library: Library, team: TeamId, indices: Sequence[IndexName], question: Question
) -> OwnDocuments:
    """Search these indices; one that fails takes nothing from the others."""
    outcomes = await _search_all(library, team, indices, question, fuzzy=False)
    is_close = not any(each.found.hits for each in outcomes)
    is_rare = sum(each.found.total for each in outcomes) <= MAX_TOTAL
    if is_close:
        outcomes = await _search_all(library, team, indices, question, fuzzy=True)
    did_you_mean = None
    if question.suggest and is_rare:
        did_you_mean = await _suggest(library, outcomes, question, is_close=is_close)
    return OwnDocuments(outcomes, is_close, did_you_mean)


async def _search_all(
    library: Library, team: TeamId, indices: Sequence[IndexName], question: Question, *, fuzzy: bool
) -> list[IndexOutcome]:
    semaphore = asyncio.Semaphore(_MAX_CONCURRENT)

    async def search(index: IndexName) -> IndexOutcome:
        async with semaphore:
            try:
                found = await index_hits(Index(library, team, index), library.known_fields, question, fuzzy=fuzzy)
            except NotFound:
                return IndexOutcome(index, TopHits())  # deleted after it was listed
            except PlatformError as error:
                return IndexOutcome(index, TopHits(), error)
            return IndexOutcome(index, found)

    return list(await asyncio.gather(*map(search, indices)))


async def _suggest(
    library: Library, outcomes: Sequence[IndexOutcome], question: Question, *, is_close: bool
) -> str | None:
    """Return the suggestion of the index with most matches that has one."""
    ordered = sorted(outcomes, key=lambda each: -each.found.total)[:_MAX_SUGGESTING]
    suggestions = await asyncio.gather(*(_suggest_in(library, each, question, is_close=is_close) for each in ordered))
    return next((each for each in suggestions if each is not None), None)


async def _suggest_in(library: Library, outcome: IndexOutcome, question: Question, *, is_close: bool) -> str | None:
    try:
        return await suggestion(library, outcome.found, question, is_close=is_close)
    except PlatformError:
        return None  # the search itself succeeded, so a missing suggestion must not fail it
