"""The teams of a service: listed with what they have, and removed with all of it. For the operator alone."""

import asyncio
from collections.abc import Mapping
from typing import Final, Literal, TypedDict

from indexer.errors import Conflict
from indexer.team_data import remove_team_data, team_size
from indexer.tenancy import TeamId
from mcp_server.access.session_store import SessionStore
from mcp_server.services import Services

_STOP_SECONDS: Final = 90.0
"""Longer than the lease of a worker that was killed."""


class TeamEntry(TypedDict):
    """What a team has."""

    team: str
    tokens: int
    indices: int
    documents: int
    jobs: int


class TeamRemoved(TypedDict):
    """What a team had."""

    success: Literal[True]
    status: Literal["deleted", "absent"]
    team: str
    removed: dict[str, int]
    """Numbers of tokens, sessions, indices, documents, jobs, uploads, logged deletions, and what features keep."""
    left: list[str]
    """What only the operator can remove."""


class JobsRunning(Conflict):
    """The team still has jobs."""

    def __init__(self, count: int) -> None:
        super().__init__(
            "The team has jobs that wait or run",
            action="Wait for them or cancel them first, or delete the team with --cancel-jobs",
            details={"jobs": count},
        )


async def list_teams(services: Services) -> list[TeamEntry]:
    """Return all teams that have anything, or are named in the connections, by name."""
    tokens = await asyncio.to_thread(services.tokens.count_by_team)
    jobs = await asyncio.to_thread(services.background.count_by_team)
    stored = await asyncio.to_thread(services.library.registry.teams)
    entries = []
    for team in sorted({*tokens, *jobs, *stored, *services.connections.teams()}):
        size = await team_size(services.library, team)
        entries.append(
            TeamEntry(
                team=team,
                tokens=tokens.get(team, 0),
                indices=size.indices,
                documents=size.documents,
                jobs=jobs.get(team, 0),
            )
        )
    return entries


async def remove_team(
    services: Services, team: TeamId, *, cancel_jobs: bool = False, stop_seconds: float = _STOP_SECONDS
) -> TeamRemoved:
    """Remove all that a team has, and say what it was; a second call finds nothing.

    Raises `JobsRunning` while jobs wait or run, unless they are to be cancelled. The team's tokens go first, so that
    nobody adds anything meanwhile. Answers in caches expire by themselves.
    """
    running = await asyncio.to_thread(services.background.unfinished_of, team)
    if running and not cancel_jobs:
        raise JobsRunning(len(running))
    removed = {"tokens": await asyncio.to_thread(services.tokens.remove_team, team)}
    sessions = SessionStore(services.library.engine.records)
    removed["sessions"] = await asyncio.to_thread(sessions.remove_team, team)
    if not await asyncio.to_thread(services.background.stop_all, team, stop_seconds):
        raise JobsRunning(len(running))
    size = await team_size(services.library, team)
    removed |= {"indices": size.indices, "documents": size.documents}
    removed["jobs"] = await asyncio.to_thread(services.background.remove_team, team)
    removed["uploads"] = await asyncio.to_thread(services.uploads.remove_team, team)
    removed["deletions"] = await asyncio.to_thread(remove_team_data, services.library, team)
    removed |= await asyncio.to_thread(_remove_from_features, services, team)
    return TeamRemoved(
        success=True,
        status="deleted" if any(removed.values()) else "absent",
        team=team,
        removed=removed,
        left=["its sections in TRAWL_CONNECTIONS"] if team in services.connections.teams() else [],
    )


def _remove_from_features(services: Services, team: TeamId) -> Mapping[str, int]:
    records = services.library.engine.records
    return {
        name: count
        for feature in services.features
        if feature.forget_team is not None
        for name, count in feature.forget_team(records, team).items()
    }
