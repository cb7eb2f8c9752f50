"""`port.Reader` on tantivy. Each call runs in a thread, because tantivy blocks and releases the GIL."""

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from indexer.engines.cost import is_costly
from indexer.engines.counts import FacetValue, KeyCount, Size, WordCount
from indexer.engines.port import Document, SearchRequest, SearchResponse, Target
from indexer.engines.tantivy.failures import translate_errors
from indexer.engines.tantivy.folder import Folder
from indexer.engines.tantivy.read import get_documents
from indexer.engines.tantivy.search.facets import count_internal_values, count_keys
from indexer.engines.tantivy.search.find import find
from indexer.engines.tantivy.search.nearby import find_nearby_words
from indexer.engines.tantivy.search.views import Views
from indexer.errors import MissingIndex
from indexer.own_thread import in_own_thread
from indexer.tenancy import DocumentId
from indexer.threads import Check, SearchThreads

_SMALL_CALLS: Final = 2
_LOOK_FOR_IDLE_SECONDS: Final = 30.0

Result = TypeVar("Result")


class TantivyReader:
    """`port.Reader` on a data folder.

    Reading single documents and sizes has threads of its own, which no search can occupy.
    """

    def __init__(self, folder: Folder, *, search_timeout: float, threads: SearchThreads | None = None) -> None:
        self._folder = folder
        self._timeout_seconds = search_timeout
        self._views = Views()
        self._idle_timer: tuple[asyncio.AbstractEventLoop, asyncio.TimerHandle] | None = None
        self._threads = threads or SearchThreads()
        self._small_calls = SearchThreads(_SMALL_CALLS)

    async def search(self, target: Target, request: SearchRequest) -> SearchResponse:
        def run(check: Check) -> SearchResponse:
            index = self._folder.open_index(target)
            view = request.view
            searcher = index.searcher() if view is None else self._views.searcher(view, target.physical)
            return find(index.handle, searcher, request, check)

        return await self._search(target, run, is_long=is_costly(request))

    async def open_view(self, target: Target) -> str:
        def run(_: Check) -> str:
            return self._views.add(target.physical, self._folder.open_index(target).searcher())

        view = await self._call(target, run)
        self._look_for_idle_views()
        return view

    async def close_view(self, view: str) -> None:
        self._views.remove(view)

    async def get(self, target: Target, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        def run(_: Check) -> list[Document | None]:
            index = self._folder.open_index(target)
            return get_documents(index.handle.schema, index.searcher(), ids, text=text)

        return await self._call(target, run)

    async def nearby_words(self, target: Target, tokens: Sequence[str]) -> dict[str, list[WordCount]]:
        def run(check: Check) -> dict[str, list[WordCount]]:
            index = self._folder.open_index(target)
            return find_nearby_words(index.handle, index.searcher(), tokens, check)

        return await self._search(target, run)

    async def internal_values(self, target: Target, name: str, limit: int) -> list[FacetValue]:
        def run(_: Check) -> list[FacetValue]:
            return count_internal_values(self._folder.open_index(target).searcher(), name, limit)

        return await self._search(target, run)

    async def keys(self, target: Target) -> list[KeyCount]:
        def run(_: Check) -> list[KeyCount]:
            return count_keys(self._folder.open_index(target).searcher())

        return await self._search(target, run)

    async def size(self, target: Target) -> Size:
        def run(_: Check) -> Size:
            count = self._folder.open_index(target).searcher().num_docs
            return Size(documents=count, size_bytes=self._size_bytes(target))

        return await self._call(target, run)

    async def health(self) -> None:
        # The pool may be full of searches, which says nothing about the folder.
        await in_own_thread(self._folder.check, "health")

    async def close(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer[1].cancel()
        self._views.close()
        self._threads.close()
        self._small_calls.close()

    def _look_for_idle_views(self) -> None:
        """Look now and then while there are views: an idle one would keep the files of merged segments on disk."""
        loop = asyncio.get_running_loop()

        def look() -> None:
            self._idle_timer = None
            if self._views.remove_idle():
                self._look_for_idle_views()

        if self._idle_timer is None or self._idle_timer[0] is not loop:
            self._idle_timer = (loop, loop.call_later(_LOOK_FOR_IDLE_SECONDS, look))

    async def _search(self, target: Target, run: Callable[[Check], Result], *, is_long: bool = False) -> Result:
        return await self._run(self._threads, target, run, is_long=is_long)

    async def _call(self, target: Target, run: Callable[[Check], Result]) -> Result:
        return await self._run(self._small_calls, target, run)

    async def _run(
        self, threads: SearchThreads, target: Target, run: Callable[[Check], Result], *, is_long: bool = False
    ) -> Result:
        def translated(check: Check) -> Result:
            with translate_errors(self._folder.path(target.physical)):
                return run(check)

        return await threads.run(translated, self._timeout_seconds, is_long=is_long)

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
