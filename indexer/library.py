"""The dependencies of all functions of the indexer; `bootstrap` opens them once."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, TypeVar

from indexer.cursors import Cursors
from indexer.index.known_fields import KnownFields
from indexer.index.store import IndexStore
from indexer.open_views import OpenViews
from indexer.threads import SearchThreads

_WRITES_AT_ONCE: Final = 16

Result = TypeVar("Result")


def _write_threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_WRITES_AT_ONCE, thread_name_prefix="write")


@dataclass(frozen=True, slots=True)
class Library(IndexStore):
    """Access to the indices of all teams, with cursors and known fields for searching."""

    cursors: Cursors
    known_fields: KnownFields
    open_views: OpenViews
    search_timeout: float
    search_threads: SearchThreads = field(default_factory=SearchThreads)
    """For what is done with texts besides searching."""
    write_threads: ThreadPoolExecutor = field(default_factory=_write_threads)

    async def write(self, function: Callable[[], Result]) -> Result:
        """Run a write in a thread of its own kind: one that waits for a lock holds up no search and no sign-in."""
        return await asyncio.get_running_loop().run_in_executor(self.write_threads, function)

    async def aclose(self) -> None:
        """Close the engine, in the event loop that ran the searches; running searches fail."""
        await self.engine.reader.close()
        await asyncio.to_thread(self._close_blocking)

    def close(self) -> None:
        """Close a library that ran no searches, without an event loop (as workers do)."""
        asyncio.run(self.engine.reader.close())
        self._close_blocking()

    def _close_blocking(self) -> None:
        self.search_threads.close()
        self.write_threads.shutdown()
        self.engine.writer.close()
        self.engine.records.close()
        self.engine.audit.close()
