"""`port.Reader` on tantivy. Each call runs in a thread pool, because tantivy blocks and releases the GIL."""

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from indexer.engines.port import (
    Document,
    FacetValue,
    KeyCount,
    SearchRequest,
    SearchResponse,
    Size,
    Target,
    WordCount,
)
from indexer.engines.tantivy.failures import translate_errors
from indexer.engines.tantivy.folder import Folder
from indexer.engines.tantivy.read import get_documents
from indexer.engines.tantivy.search.facets import count_internal_values, count_keys
from indexer.engines.tantivy.search.find import find
from indexer.engines.tantivy.search.nearby import find_nearby_words
from indexer.engines.tantivy.search.views import Views
from indexer.errors import MissingIndex, TimedOut
from indexer.own_thread import in_own_thread
from indexer.tenancy import DocumentId

_POOL_SIZE: Final = (os.cpu_count() or 1) + 4

Result = TypeVar("Result")


class TantivyReader:
    """`port.Reader` on a data folder."""

    def __init__(self, folder: Folder, *, search_timeout: float) -> None:
        self._folder = folder
        self._timeout_seconds = search_timeout
        self._views = Views()
        self._thread_pool = ThreadPoolExecutor(_POOL_SIZE, thread_name_prefix="tantivy")

    async def search(self, target: Target, request: SearchRequest) -> SearchResponse:
        def run() -> SearchResponse:
            index = self._folder.open_index(target)
            view = request.view
            searcher = index.searcher() if view is None else self._views.searcher(view, target.physical)
            return find(index.handle, searcher, request)

        return await self._run_in_thread(target, run)

    async def open_view(self, target: Target) -> str:
        def run() -> str:
            return self._views.add(target.physical, self._folder.open_index(target).searcher())

        return await self._run_in_thread(target, run)

    async def close_view(self, view: str) -> None:
        self._views.remove(view)

    async def get(self, target: Target, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        def run() -> list[Document | None]:
            index = self._folder.open_index(target)
            return get_documents(index.handle.schema, index.searcher(), ids, text=text)

        return await self._run_in_thread(target, run)

    async def nearby_words(self, target: Target, tokens: Sequence[str]) -> dict[str, list[WordCount]]:
        def run() -> dict[str, list[WordCount]]:
            index = self._folder.open_index(target)
            return find_nearby_words(index.handle, index.searcher(), tokens)

        return await self._run_in_thread(target, run)

    async def internal_values(self, target: Target, name: str, limit: int) -> list[FacetValue]:
        def run() -> list[FacetValue]:
            return count_internal_values(self._folder.open_index(target).searcher(), name, limit)

        return await self._run_in_thread(target, run)

    async def keys(self, target: Target) -> list[KeyCount]:
        def run() -> list[KeyCount]:
            return count_keys(self._folder.open_index(target).searcher())

        return await self._run_in_thread(target, run)

    async def size(self, target: Target) -> Size:
        def run() -> Size:
            count = self._folder.open_index(target).searcher().num_docs
            return Size(documents=count, size_bytes=self._size_bytes(target))

        return await self._run_in_thread(target, run)

    async def health(self) -> None:
        # The pool may be full of searches, which says nothing about the folder.
        await in_own_thread(self._folder.check, "health")

    async def close(self) -> None:
        self._views.close()
        self._thread_pool.shutdown(wait=False, cancel_futures=True)

    async def _run_in_thread(self, target: Target, run: Callable[[], Result]) -> Result:
        """Run in the thread pool. After the timeout the caller gets `TimedOut`, while the thread runs to its end."""

        def translated() -> Result:
            with translate_errors(self._folder.path(target.physical)):
                return run()

        running = asyncio.get_running_loop().run_in_executor(self._thread_pool, translated)
        try:
            return await asyncio.wait_for(running, self._timeout_seconds)
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
                    except FileNotFoundError:  # a merge removed it meanwhile
                        continue
        except FileNotFoundError:
            raise MissingIndex from None
        return total
