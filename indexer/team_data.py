"""All that the library keeps of a team: how much there is, and how it is removed."""

import asyncio
from dataclasses import dataclass

from indexer.index.deletion_log import forget_deletions
from indexer.index.reading import read_size
from indexer.library import Library
from indexer.tenancy import IndexName, TeamId, alias


@dataclass(frozen=True, slots=True)
class TeamSize:
    """Numbers of a team; the archive is one of its indices."""

    indices: int
    documents: int


async def team_size(library: Library, team: TeamId) -> TeamSize:
    """Count the team's indices that were written to or created, and their documents."""
    records = await asyncio.to_thread(library.registry.stored, f"{team}/")
    sizes = [await read_size(library, record) for record in records]
    return TeamSize(len(records), sum(size.documents for size in sizes))


def remove_team_data(library: Library, team: TeamId) -> int:
    """Remove the team's indices with all their generations, and its deletion log. Blocking.

    Returns the number of logged deletions. It also finds physical indices that no record names.
    """
    for record in library.registry.stored(f"{team}/"):
        library.registry.remove(team, record.index)
    for physical in library.engine.writer.physical_names(alias(team, IndexName(""))):
        library.engine.writer.drop(physical)
    return forget_deletions(library.engine.records, team)
