"""The dependencies of all functions of the indexer; `bootstrap` opens them once."""

import asyncio
from dataclasses import dataclass

from indexer.cursors import Cursors
from indexer.index.known_fields import KnownFields
from indexer.index.store import IndexStore
from indexer.open_views import OpenViews


@dataclass(frozen=True, slots=True)
class Library(IndexStore):
    """Access to the indices of all teams, with cursors and known fields for searching."""

    cursors: Cursors
    known_fields: KnownFields
    open_views: OpenViews
    search_timeout: float

    async def aclose(self) -> None:
        """Close the engine, in the event loop that ran the searches; running searches fail."""
        await self.engine.reader.close()
        await asyncio.to_thread(self._close_blocking)

    def close(self) -> None:
        """Close a library that ran no searches, without an event loop (as workers do)."""
        asyncio.run(self.engine.reader.close())
        self._close_blocking()

    def _close_blocking(self) -> None:
        self.engine.writer.close()
        self.engine.records.close()
        self.engine.audit.close()
