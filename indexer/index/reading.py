"""Reads by the registry's cached record, and retries with a fresh record if the physical index is gone."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from indexer.engines.port import Document, Size
from indexer.errors import MissingIndex, Unavailable
from indexer.index.record import IndexRecord
from indexer.index.store import IndexStore
from indexer.tenancy import DocumentId, IndexName, TeamId

Result = TypeVar("Result")
_MAX_ATTEMPTS: Final = 3
_MAX_CONCURRENT: Final = 8
_EMPTY_SIZE: Final = Size(documents=0, size_bytes=0)


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


async def read_document(
    store: IndexStore, team: TeamId, index: IndexName, id_: DocumentId, *, text: bool
) -> Document | None:
    """Return a document as last written; None if the index has none with this ID."""

    async def get(record: IndexRecord) -> Document | None:
        target = record.serving_target()
        return (await store.engine.reader.get(target, [id_], text=text))[0] if target else None

    return await read(store, team, index, get)


async def read_size(store: IndexStore, record: IndexRecord) -> Size:
    """Return the size of an index; one that was never written to, or that is being deleted, is empty."""
    target = record.serving_target()
    if target is None:
        return _EMPTY_SIZE
    try:
        return await store.engine.reader.size(target)
    except MissingIndex:
        return _EMPTY_SIZE


async def read_sizes(store: IndexStore, records: Sequence[IndexRecord]) -> list[Size]:
    """Return the sizes of several indices, in their order; a few are read at a time."""
    semaphore = asyncio.Semaphore(_MAX_CONCURRENT)

    async def read_one(record: IndexRecord) -> Size:
        async with semaphore:
            return await read_size(store, record)

    return list(await asyncio.gather(*map(read_one, records)))


def index_data_missing(index: IndexName) -> Unavailable:
    """Build the error for an index that is registered but whose data the engine has lost."""
    return Unavailable(
        f"The data of this index is gone from the engine: {index}",
        action="Restore it from a snapshot, or delete the index and fill it again",
    )
