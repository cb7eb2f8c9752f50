"""Reading for the request path: each call runs in a thread, since tantivy lets go of the interpreter's lock."""

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from indexer.engines.port import Document, KeyCount, SearchRequest, SearchResponse, Size, Target
from indexer.engines.tantivy.failures import translated
from indexer.engines.tantivy.folder import Folder
from indexer.engines.tantivy.read import documents
from indexer.engines.tantivy.search.facets import keys
from indexer.engines.tantivy.search.find import find
from indexer.engines.tantivy.search.views import Views
from indexer.errors import MissingIndex, TimedOut
from indexer.tenancy import DocumentId

_THREADS: Final = (os.cpu_count() or 1) + 4

Answer = TypeVar("Answer")


class TantivyReader:
    """The port's `Reader` on a data folder."""

    def __init__(self, folder: Folder, *, search_timeout: float) -> None:
        self._folder = folder
        self._timeout = search_timeout
        self._views = Views()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="tantivy")

    async def search(self, target: Target, wanted: SearchRequest) -> SearchResponse:
        def run() -> SearchResponse:
            index = self._folder.opened(target)
            view = wanted.view
            searcher = index.searcher() if view is None else self._views.searcher(view, target.physical)
            return find(index.dialect, searcher, wanted)

        return await self._in_thread(target, run)

    async def open_view(self, target: Target) -> str:
        def run() -> str:
            return self._views.keep(target.physical, self._folder.opened(target).searcher())

        return await self._in_thread(target, run)

    async def close_view(self, view: str) -> None:
        self._views.forget(view)

    async def get(self, target: Target, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        def run() -> list[Document | None]:
            index = self._folder.opened(target)
            return documents(index.dialect.schema, index.searcher(), ids, text=text)

        return await self._in_thread(target, run)

    async def keys(self, target: Target) -> list[KeyCount]:
        def run() -> list[KeyCount]:
            return keys(self._folder.opened(target).searcher())

        return await self._in_thread(target, run)

    async def size(self, target: Target) -> Size:
        def run() -> Size:
            count = self._folder.opened(target).searcher().num_docs
            return Size(documents=count, size_bytes=self._size_bytes(target))

        return await self._in_thread(target, run)

    async def health(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._threads, self._folder.check)

    async def close(self) -> None:
        self._views.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _in_thread(self, target: Target, run: Callable[[], Answer]) -> Answer:
        """Run it, and give up waiting after the configured time; the thread itself goes on to its end."""

        def guarded() -> Answer:
            with translated(self._folder.path(target.physical)):
                return run()

        running = asyncio.get_running_loop().run_in_executor(self._threads, guarded)
        try:
            return await asyncio.wait_for(running, self._timeout)
        except TimeoutError:
            raise TimedOut(
                "The search took too long",
                action="Ask for less (fewer words, results or facets), or raise TRAWL_SEARCH_TIMEOUT",
            ) from None

    def _size_bytes(self, target: Target) -> int:
        total = 0
        try:
            with os.scandir(self._folder.path(target.physical)) as entries:
                for entry in entries:
                    try:
                        total += entry.stat().st_size
                    except FileNotFoundError:  # merged away meanwhile
                        continue
        except FileNotFoundError:
            raise MissingIndex from None
        return total
