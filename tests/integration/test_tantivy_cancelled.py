"""Searches of the embedded engine whose caller is gone."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from indexer.engines.port import SearchRequest
from indexer.engines.tantivy.engine import open_engine
from indexer.engines.tantivy.folder import Folder
from indexer.engines.tantivy.reader import TantivyReader
from indexer.engines.tantivy.search.find import find
from indexer.errors import Unavailable
from indexer.query.ast import Everything
from indexer.tenancy import DocumentId
from indexer.threads import SearchThreads
from tests.integration.tantivy_documents import ALIAS, TARGET
from tests.service import wait_until

SEARCH = SearchRequest(Everything(), 1)


async def test_a_cancelled_search_ends_at_once_and_never_begins_if_it_was_queued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, released = threading.Semaphore(0), threading.Event()

    def wait(*given: Any) -> Any:
        begun.release()
        released.wait()
        return find(*given)

    monkeypatch.setattr("indexer.engines.tantivy.reader.find", wait)
    engine = open_engine(tmp_path / "data", search_timeout=60)
    engine.writer.create(TARGET, ALIAS)
    threads = SearchThreads(1)
    reader = TantivyReader(Folder(tmp_path / "data"), search_timeout=60, threads=threads)
    running = asyncio.create_task(reader.search(TARGET, SEARCH))
    await asyncio.to_thread(begun.acquire)
    queued = asyncio.create_task(reader.search(TARGET, SEARCH))
    await asyncio.sleep(0)
    for search in (queued, running):
        search.cancel()
        done, _ = await asyncio.wait({search}, timeout=10)
        assert done
        assert search.cancelled()
    with pytest.raises(Unavailable, match="busy"):
        await reader.search(TARGET, SEARCH)
    assert await reader.get(TARGET, [DocumentId("a")], text=True) == [None]
    released.set()
    await asyncio.to_thread(wait_until, lambda: threads.given_up == 0, "the search has ended")
    assert (await reader.search(TARGET, SEARCH)).total == 0
    assert begun.acquire(blocking=False)
    assert not begun.acquire(blocking=False)
    await reader.close()
    await engine.reader.close()
    engine.writer.close()
    engine.records.close()
