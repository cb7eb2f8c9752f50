"""How many indices and documents each team has, counted while Prometheus scrapes; never a name of an index."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from indexer.errors import PlatformError
from indexer.index.reading import read_size
from indexer.index.record import IndexRecord
from indexer.library import Library
from indexer.schema.definition import Kind
from indexer.tenancy import DEFAULT_INDEX, TeamId
from mcp_server.observability.bug_reports import report

_CACHE_SECONDS: Final = 15.0
_MAX_WAIT_SECONDS: Final = 2.0
_MAX_COUNT_SECONDS: Final = 60.0
_MAX_CONCURRENT: Final = 4

Counts = Mapping[tuple[TeamId, Kind], int]


class IndexCounts:
    """The numbers of all teams. They are empty while the engine is unavailable, and before the first count ends."""

    def __init__(self, library: Library, now: Callable[[], float] = time.monotonic) -> None:
        self._library = library
        self._now = now
        self._expires = 0.0
        self._counting: asyncio.Task[None] | None = None
        self.indices: Counts = {}
        self.documents: Counts = {}

    async def update(self) -> None:
        """Count again if the numbers are some seconds old; never raises.

        A count that takes longer than two seconds goes on in the background, for the next scrape.
        """
        if self._counting is None and self._now() >= self._expires:
            self._counting = asyncio.create_task(self._count())
        if self._counting is not None:
            await asyncio.wait([self._counting], timeout=_MAX_WAIT_SECONDS)

    async def _count(self) -> None:
        counted: tuple[Counts, Counts] = {}, {}
        try:
            async with asyncio.timeout(_MAX_COUNT_SECONDS):
                records = await asyncio.to_thread(self._library.registry.stored)
                documents = await self._count_documents(records)
            indices = _count_indices(records)
            counted = indices, {key: documents[key] for key in indices}
        except* (PlatformError, TimeoutError):
            pass  # the engine is unavailable: no number is better than an old one
        except* Exception as errors:  # noqa: BLE001 - a bug here must not fail the scrape
            report("counting indices", errors)
        finally:
            self.indices, self.documents = counted
            self._expires = self._now() + _CACHE_SECONDS
            self._counting = None

    async def _count_documents(self, records: list[IndexRecord]) -> Counter[tuple[TeamId, Kind]]:
        semaphore = asyncio.Semaphore(_MAX_CONCURRENT)
        documents: Counter[tuple[TeamId, Kind]] = Counter()

        async def add(record: IndexRecord) -> None:
            async with semaphore:
                size = await read_size(self._library, record)
            documents[record.team, record.definition.kind] += size.documents

        async with asyncio.TaskGroup() as tasks:
            for record in records:
                tasks.create_task(add(record))
        return documents


def _count_indices(records: list[IndexRecord]) -> Counts:
    indices = Counter((record.team, record.definition.kind) for record in records)
    # Every team has the default index, also before its first write.
    with_default = {record.team for record in records if record.index == DEFAULT_INDEX}
    indices.update((team, "local") for team in {record.team for record in records} - with_default)
    return indices
