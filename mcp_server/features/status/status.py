"""What this service runs on and how it is: engine, sources, queues, versions, and what should be built anew."""

import asyncio
from typing import Any

from indexer import status as indexer_status
from indexer.errors import PlatformError
from indexer.library import Library
from indexer.tenancy import ARCHIVE_INDEX, Principal, TeamId
from mcp_server.features.everywhere.sources import sources_of
from mcp_server.services import Services


async def status(services: Services, principal: Principal) -> dict[str, Any]:
    """Return the state of everything; never raises because something is down."""
    known, queues, outdated = await asyncio.gather(
        indexer_status.status(services.library, principal),
        asyncio.to_thread(services.background.health),
        asyncio.to_thread(_outdated, services.library, principal.team),
    )
    return {
        **known,
        "sources": {
            source.name: "configured" if source.is_configured else "not configured"
            for source in sources_of(services, principal)
        },
        "queues": queues,
        "outdated_indices": outdated,
    }


def _outdated(library: Library, team: TeamId) -> list[str] | None:
    """Name the indices that an older version of this service made; None while nobody knows."""
    try:
        records = [*library.registry.of_team(team), library.registry.get(team, ARCHIVE_INDEX)]
    except PlatformError:
        return None
    return [record.index for record in records if library.registry.outdated(record)]
