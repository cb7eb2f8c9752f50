"""Chooses the sources of a search, and combines their results."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from indexer.search.truncate import truncate_page
from indexer.tenancy import Principal
from mcp_server.features.everywhere.arguments import SearchEverywhere
from mcp_server.features.everywhere.asked import asked_question
from mcp_server.features.everywhere.combined import did_you_mean, facets, total
from mcp_server.features.everywhere.failure import all_sources_failed
from mcp_server.features.everywhere.fan_out import Outcome, search_all
from mcp_server.features.everywhere.fusion import fuse, sort_findings
from mcp_server.features.everywhere.hits import build_hits, shorten_hit
from mcp_server.features.everywhere.known_fields import check_fields
from mcp_server.features.everywhere.results import EverywhereResult
from mcp_server.features.everywhere.sources import Source, sources_of
from mcp_server.search_source import Question, SourceName
from mcp_server.selection import select_all
from mcp_server.services import Services

_ONLY_IF_NAMED: Final[frozenset[SourceName]] = frozenset({"web"})


async def search_everywhere(services: Services, principal: Principal, arguments: SearchEverywhere) -> EverywhereResult:
    """Search all requested sources at once; fails only if none of them could be searched."""
    await check_fields(services.library, principal, arguments)
    return await answer(sources_of(unrestricted(services), principal), arguments)


def unrestricted(services: Services) -> Services:
    """Offer all operations: a service may offer one over all sources without the operations of each."""
    return replace(services, selection=select_all(services.features))


async def answer(sources: Sequence[Source], arguments: SearchEverywhere) -> EverywhereResult:
    """Search these sources and combine their results."""
    asked = asked_question(arguments)
    outcomes = await search_sources(_select_sources(sources, arguments.sources), asked)
    end = arguments.page * arguments.limit
    groups = sort_findings(outcomes, asked.sort, end) if asked.sort else fuse(outcomes, end)
    hits = build_hits(groups, start=end - arguments.limit, detail=arguments.detail)
    page = truncate_page(hits, arguments.max_chars, shorten_hit, arguments.detail)
    return EverywhereResult(
        success=True,
        query=arguments.query,
        results=page.hits,
        total=total(outcomes),
        facets=facets(outcomes, asked),
        did_you_mean=did_you_mean(outcomes),
        sources=[outcome.to_result() for outcome in outcomes],
        not_configured=[] if arguments.sources else [source.name for source in sources if not source.is_configured],
        truncated=page.truncated,
    )


async def search_sources(sources: Sequence[Source], question: Question) -> list[Outcome]:
    """Search these sources; fails only if none of them could be searched."""
    outcomes = await search_all(sources, question)
    if all(outcome.error is not None and not outcome.findings for outcome in outcomes):
        raise all_sources_failed(outcomes)
    return outcomes


def default_sources(sources: Sequence[Source]) -> list[Source]:
    """Return the sources that are configured, that the caller may use, and that need not be named."""
    usable = (source for source in sources if source.is_configured and source.is_allowed)
    return [source for source in usable if source.name not in _ONLY_IF_NAMED]


def _select_sources(sources: Sequence[Source], names: Sequence[SourceName] | None) -> list[Source]:
    """Return the named sources, in that order, or else the default ones."""
    if not names:
        return default_sources(sources)
    by_name = {source.name: source for source in sources}
    return [by_name[name] for name in dict.fromkeys(names)]
