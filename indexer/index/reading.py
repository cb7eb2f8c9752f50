"""Reads how large indices are, for lists, status and quotas: a missing one is empty."""

import asyncio
from collections.abc import Sequence
from typing import Final

from indexer.engines.counts import Size
from indexer.errors import MissingIndex, Unavailable
from indexer.index.record import IndexRecord
from indexer.index.store import IndexStore
from indexer.tenancy import IndexName

_MAX_CONCURRENT: Final = 8
_EMPTY_SIZE: Final = Size(documents=0, size_bytes=0)


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
