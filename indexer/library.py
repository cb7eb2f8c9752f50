"""Everything that the indexer's functions need, opened once by `bootstrap` and handed to each of them."""

import asyncio
from dataclasses import dataclass

from indexer.cursors import Cursors
from indexer.index.known_fields import KnownFields
from indexer.index.store import IndexStore


@dataclass(frozen=True, slots=True)
class Library(IndexStore):
    """The indices with what searching them needs; holds no index and no caller."""

    cursors: Cursors
    known_fields: KnownFields
    search_timeout: float

    async def aclose(self) -> None:
        """Close all three roles, in the event loop that searched; searches that still run fail."""
        await self.engine.reader.close()
        await asyncio.to_thread(self._close_blocking)

    def close(self) -> None:
        """Close a library that only wrote, as workers do without an event loop."""
        asyncio.run(self.engine.reader.close())
        self._close_blocking()

    def _close_blocking(self) -> None:
        self.engine.writer.close()
        self.engine.records.close()
