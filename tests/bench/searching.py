"""Searches in an archive, one after the other, while it is idle and while it is being filled."""

import asyncio
import time
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

from indexer.archives.arguments import SearchLocalArchives
from indexer.archives.search import search_archive
from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from indexer.tenancy import Principal
from tests.bench.worker_process import Worker

_IDLE_SEARCHES = 200


def latencies_while(
    settings: IndexerSettings, principal: Principal, queries: Sequence[str], working: Worker, folder: Path
) -> tuple[list[float], list[float]]:
    """Return the latencies of searches before, and then during the ingestion of a folder into the same archive."""
    return asyncio.run(_opened(settings, principal, queries, working, folder))


async def _opened(
    settings: IndexerSettings, principal: Principal, queries: Sequence[str], working: Worker, folder: Path
) -> tuple[list[float], list[float]]:
    library = open_library(settings)
    try:
        return await _latencies_while(library, principal, queries, working, folder)
    finally:
        await library.aclose()


async def _latencies_while(
    library: Library, principal: Principal, queries: Sequence[str], working: Worker, folder: Path
) -> tuple[list[float], list[float]]:
    waiting = cycle(queries)

    async def search() -> float:
        started = time.perf_counter()
        await search_archive(library, principal, SearchLocalArchives(query=next(waiting)))
        return time.perf_counter() - started

    for _ in queries:
        await search()
    idle = [await search() for _ in range(_IDLE_SEARCHES)]
    ingestion = asyncio.create_task(asyncio.to_thread(working.ingest, principal, folder))
    busy = []
    while not ingestion.done():
        busy.append(await search())
    await ingestion
    return idle, busy
