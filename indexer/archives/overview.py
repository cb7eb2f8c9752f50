"""Counts what an archive holds by where it came from."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from indexer.archives.stored import ROOT, StoredFields, stored_fields
from indexer.engines.counts import FacetValue
from indexer.engines.port import SearchRequest
from indexer.index.index import Index, Snapshot, on_snapshot
from indexer.library import Library
from indexer.query.ast import AnyValue, Everything, SortKey
from indexer.tenancy import ARCHIVE_INDEX, Principal

_MAX_ORIGINS: Final = 200
_MAX_CONCURRENT: Final = 8
_NEWEST: Final = (SortKey("date", descending=True),)


@dataclass(frozen=True, slots=True)
class Origin:
    """Documents that came from one place: a folder, an upload, a bucket, or the host of pages."""

    name: str
    """What the documents have as `root`; cut if it is very long."""
    documents: int
    sample: StoredFields | None
    """The document with the newest date; None if it is gone by now."""


@dataclass(frozen=True, slots=True)
class ArchiveContents:
    """How much an archive holds, and the origins of most of it, the largest first."""

    documents: int
    origins: Sequence[Origin]


async def archive_contents(library: Library, principal: Principal) -> ArchiveContents:
    """Count the archive's documents, and those of the two hundred largest origins."""
    return await _contents(Index(library, principal.team, ARCHIVE_INDEX))


@on_snapshot
async def _contents(snapshot: Snapshot) -> ArchiveContents:
    if snapshot.target is None:
        return ArchiveContents(0, ())
    counted, everything = await asyncio.gather(
        snapshot.reader.internal_values(snapshot.target, ROOT, _MAX_ORIGINS),
        snapshot.search(SearchRequest(Everything(), size=0, payload=False)),
    )
    semaphore = asyncio.Semaphore(_MAX_CONCURRENT)

    async def origin(value: FacetValue) -> Origin:
        async with semaphore:
            return await _origin(snapshot, value)

    return ArchiveContents(everything.total, await asyncio.gather(*map(origin, counted)))


async def _origin(snapshot: Snapshot, value: FacetValue) -> Origin:
    name = str(value.value)
    request = SearchRequest(AnyValue(ROOT, (name,), internal=True), size=1, sort=_NEWEST)
    hits = (await snapshot.search(request)).hits
    return Origin(name, value.count, stored_fields(hits[0].payload) if hits else None)
