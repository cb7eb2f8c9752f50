"""Shows how often a team searched, and what it did not find."""

import asyncio
import time
from datetime import UTC, datetime
from typing import Any, Final

from indexer.schema.dates import format_utc
from indexer.tenancy import Principal
from mcp_server.features.archives.operations import SEARCH as SEARCH_ARCHIVE
from mcp_server.features.everywhere.operations import SEARCH as SEARCH_EVERYWHERE
from mcp_server.features.local.operations import SEARCH as SEARCH_INDEX
from mcp_server.features.simple.operations import SEARCH as SEARCH_DOCUMENTS
from mcp_server.features.usage.arguments import ShowSearches
from mcp_server.features.usage.results import DayOfSearches, MissedSearch, SearchesResult
from mcp_server.operation import Operation
from mcp_server.services import Services

COUNTED: Final[tuple[Operation[Any, Any], ...]] = (SEARCH_INDEX, SEARCH_ARCHIVE, SEARCH_EVERYWHERE, SEARCH_DOCUMENTS)
"""The operations whose calls are counted as searches."""
_MAX_MISSED: Final = 100


async def show_searches(services: Services, principal: Principal, arguments: ShowSearches) -> SearchesResult:
    """Return the searches of the caller's team, but for those of the last seconds."""
    searches = services.searches
    await asyncio.to_thread(searches.flush)
    stored = await asyncio.to_thread(searches.records.read, principal.team)
    counts = stored.latest(arguments.days, time.time())
    words_kept = searches.keeps_words(principal.team)
    missed = sorted(counts.missed.items(), key=lambda item: item[1], reverse=True) if words_kept else []
    return SearchesResult(
        success=True,
        words_kept=words_kept,
        days=[
            DayOfSearches(date=date, searches=count.searches, without_results=count.without_results)
            for date, count in sorted(counts.days.items())
        ],
        without_results=[
            MissedSearch(query=text, searches=count.searches, last_at=_time(count.last_at))
            for text, count in missed[:_MAX_MISSED]
        ],
    )


def _time(seconds: float) -> str:
    return format_utc(datetime.fromtimestamp(seconds, UTC), "seconds")
