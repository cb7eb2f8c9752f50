"""Reads by the registry's cached record, and retries with a fresh record if the physical index is gone."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from indexer.errors import MissingIndex, Unavailable
from indexer.index.record import IndexRecord
from indexer.index.store import IndexStore
from indexer.tenancy import IndexName, TeamId

Result = TypeVar("Result")
_MAX_ATTEMPTS: Final = 3


async def read(
    store: IndexStore, team: TeamId, index: IndexName, operation: Callable[[IndexRecord], Awaitable[Result]]
) -> Result:
    """Run the operation with the index's record; on `MissingIndex`, retry with a record that is read again.

    The cached record may be a second old: a re-index may have replaced and dropped its generation since.
    """
    for attempt in range(_MAX_ATTEMPTS):
        record = await store.registry.cached(team, index, fresh=attempt > 0)
        try:
            return await operation(record)
        except MissingIndex:
            continue
    raise index_data_missing(index)


def index_data_missing(index: IndexName) -> Unavailable:
    """Build the error for an index that is registered but whose data the engine has lost."""
    return Unavailable(
        f"The data of this index is gone from the engine: {index}",
        action="Restore it from a snapshot, or delete the index and fill it again",
    )
