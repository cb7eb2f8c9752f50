"""Searching everywhere: who is asked, and how their answers become one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from indexer.search.truncate import truncate_page
from indexer.tenancy import Principal
from indexer.text.truncate import Room, shorten_highlight, shorten_text
from mcp_server.features.everywhere.arguments import SearchEverywhere
from mcp_server.features.everywhere.asking import ask_all
from mcp_server.features.everywhere.failure import no_answer
from mcp_server.features.everywhere.fusion import fused
from mcp_server.features.everywhere.results import EverywhereHit, EverywhereResult
from mcp_server.features.everywhere.sources import Source, sources_of
from mcp_server.search_source import SourceName, question
from mcp_server.selection import everything
from mcp_server.services import Services

_ONLY_WHERE_NAMED: Final[frozenset[SourceName]] = frozenset({"web"})
_SHALLOWEST: Final = 10
"""Results that few callers see still decide which of the others several sources agree on."""


async def search_everywhere(services: Services, principal: Principal, arguments: SearchEverywhere) -> EverywhereResult:
    """Ask all sources that are wanted at once; fails only where none of them answers."""
    # A service may offer this operation alone: its sources are asked all the same.
    asking = replace(services, selection=everything(services.features))
    return await answer(sources_of(asking, principal), arguments)


async def answer(sources: Sequence[Source], arguments: SearchEverywhere) -> EverywhereResult:
    """Answer from these sources, whatever they are."""
    asked = _asked(sources, arguments.sources)
    outcomes = await ask_all(asked, question(arguments.query, max(arguments.limit, _SHALLOWEST)))
    if all(outcome.error is not None and not outcome.findings for outcome in outcomes):
        raise no_answer(outcomes)
    fitted = truncate_page(fused(outcomes, arguments.limit), arguments.max_chars, _shorten)
    return EverywhereResult(
        success=True,
        query=arguments.query,
        results=fitted.hits,
        sources=[outcome.told() for outcome in outcomes],
        not_configured=[] if arguments.sources else [source.name for source in sources if not source.is_configured],
        truncated=fitted.truncated,
    )


def _asked(sources: Sequence[Source], named: Sequence[SourceName] | None) -> list[Source]:
    """Return those named, in that order, or else all that can be asked without being named."""
    if not named:
        return [source for source in sources if source.is_configured and source.name not in _ONLY_WHERE_NAMED]
    by_name = {source.name: source for source in sources}
    return [by_name[name] for name in dict.fromkeys(named)]


def _shorten(hit: EverywhereHit, room: Room) -> EverywhereHit:
    short = EverywhereHit(**hit)
    short["title"] = shorten_text(hit["title"], max(room.characters, 40))
    short["snippet"] = shorten_highlight(hit["snippet"], room.characters)
    if "also_in" in hit:
        short["also_in"] = hit["also_in"][: room.items]
    return short
