"""Status of the service: engine, sources, queues, versions, and indices that need a re-index."""

import asyncio
from typing import Any

from indexer import status as indexer_status
from indexer.connections.connections import Connections
from indexer.errors import PlatformError
from indexer.library import Library
from indexer.tenancy import ARCHIVE_INDEX, Principal, TeamId
from mcp_server.feature import upstreams_of
from mcp_server.features.everywhere.sources import sources_of
from mcp_server.services import Services


async def status(services: Services, principal: Principal) -> dict[str, Any]:
    """Return the status of all parts; does not raise if one of them is down."""
    library_status, queues, outdated = await asyncio.gather(
        indexer_status.status(services.library, principal),
        asyncio.to_thread(services.background.health),
        asyncio.to_thread(_outdated_indices, services.library, principal),
    )
    return {
        **library_status,
        "sources": {
            source.name: "configured" if source.is_configured else "not configured"
            for source in sources_of(services, principal)
        },
        "rights": _rights(services, principal.team),
        "connections": _connections(services.connections),
        "queues": queues,
        "outdated_indices": outdated,
    }


def _rights(services: Services, team: TeamId) -> dict[str, str]:
    """Return for each configured upstream with access rights whose rights decide what callers find there."""
    opened = services.upstreams.of(team)
    return {
        upstream.name: upstream.rights
        for upstream in upstreams_of(services.features)
        if upstream.rights is not None and opened[upstream].is_configured
    }


def _connections(connections: Connections) -> str:
    """Return where the settings of upstreams come from. What is wrong with them concerns the operator alone."""
    if not connections.is_given:
        return "environment"
    return "file" if connections.problem is None else "file; its last change has an error and is not in force"


def _outdated_indices(library: Library, principal: Principal) -> list[str] | None:
    """Return the indices that an older version of the service built; None if the registry is unavailable."""
    try:
        records = library.registry.usable(principal)
        if principal.may_use(ARCHIVE_INDEX):
            records.append(library.registry.get(principal.team, ARCHIVE_INDEX))
    except PlatformError:
        return None
    return [record.index for record in records if library.registry.outdated(record)]
