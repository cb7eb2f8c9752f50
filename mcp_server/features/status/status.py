"""Status of the service: engine, documents, sources, queues, jobs, versions, and indices that need a re-index."""

import asyncio
from collections import Counter
from typing import Any, Final, get_args

from indexer import status as indexer_status
from indexer.connections.connections import Connections
from indexer.errors import PlatformError
from indexer.library import Library
from indexer.tenancy import ARCHIVE_INDEX, Principal, TeamId
from mcp_server.feature import upstreams_of
from mcp_server.features.everywhere.sources import sources_of
from mcp_server.services import Services
from workers.enqueue import Background
from workers.jobs.arguments import JobList, JobState

_MAX_JOBS: Final = 200


async def status(services: Services, principal: Principal) -> dict[str, Any]:
    """Return the status of all parts; does not raise if one of them is down."""
    library_status, queues, jobs, outdated = await asyncio.gather(
        indexer_status.status(services.library, principal),
        asyncio.to_thread(services.background.health),
        asyncio.to_thread(_jobs, services.background, principal),
        asyncio.to_thread(_outdated_indices, services.library, principal),
    )
    sources = sources_of(services, principal)
    sandboxes = [source.name for source in sources if source.is_sandbox]
    return {
        **library_status,
        "sources": {source.name: "configured" if source.is_configured else "not configured" for source in sources},
        **({"sandbox": True, "sandboxes": sandboxes} if sandboxes else {}),
        "rights": _rights(services, principal.team),
        "connections": _connections(services.connections),
        "queues": queues,
        "jobs": jobs,
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


def _jobs(background: Background, principal: Principal) -> dict[str, int] | None:
    """Count the team's newest jobs by status; None if their records are unavailable."""
    try:
        newest = background.list(principal, JobList(limit=_MAX_JOBS))["jobs"]
    except PlatformError:
        return None
    counts = Counter(job["status"] for job in newest)
    return {state: counts[state] for state in get_args(JobState)}


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
