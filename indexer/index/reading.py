"""Reading by the registry's cached record, and again by a fresh one where that has been overtaken."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from indexer.errors import MissingIndex, Unavailable
from indexer.index.record import IndexRecord
from indexer.index.store import IndexStore
from indexer.tenancy import IndexName, TeamId

Answer = TypeVar("Answer")
_ATTEMPTS: Final = 3


async def read(
    store: IndexStore, team: TeamId, index: IndexName, work: Callable[[IndexRecord], Awaitable[Answer]]
) -> Answer:
    """Do the work with the index's record; if its physical index is gone, with the record as it is by then."""
    for attempt in range(_ATTEMPTS):
        record = await store.registry.cached(team, index, fresh=attempt > 0)
        try:
            return await work(record)
        except MissingIndex:
            continue
    raise index_data_missing(index)


def index_data_missing(index: IndexName) -> Unavailable:
    """Say that the registry names an index whose data the engine has lost."""
    return Unavailable(
        f"The data of this index is gone from the engine: {index}",
        action="Restore it from a snapshot, or delete the index and fill it again",
    )
