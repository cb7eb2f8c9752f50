"""What reading one document of an archive shows beside its text: places in the original, and citations."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from indexer.archives.citations.resolve import ArchiveRecord
from indexer.archives.citations.surroundings import Surroundings, surroundings_of
from indexer.archives.documents import ArchiveDocumentNotFound
from indexer.archives.search import key_lookup
from indexer.archives.stored import StoredPlace, stored_fields
from indexer.deadline import TimeLimit
from indexer.errors import TimedOut
from indexer.index.index import Index, Snapshot, on_snapshot
from indexer.library import Library
from indexer.tenancy import ARCHIVE_INDEX, DocumentId, Principal, document_id

_MAX_PLACES: Final = 2_000
"""Of the outline and of the part, each; of more, only every second, third … is kept."""


async def read_places(library: Library, principal: Principal, id_: str, revision: int) -> list[StoredPlace]:
    """Return the places of a document in this revision; none if it was written again or deleted since."""
    [document] = await Index(library, principal.team, ARCHIVE_INDEX).get([document_id(id_)], text=False)
    if document is None or document.revision != revision:
        return []
    return stored_fields(document.payload)["places"]


def places_around(places: Sequence[StoredPlace], start: int, end: int) -> list[StoredPlace]:
    """Return all places at which page or heading changes, and every place of the text from `start` to `end`."""
    outline = [place for before, place in pairwise([None, *places]) if place and _begins_section(before, place)]
    first = max(0, bisect_right(places, start, key=_start) - 1)
    part = places[first : bisect_left(places, end, key=_start)]
    kept = {place[0]: place for place in (*_thinned(outline), *_thinned(part))}
    return sorted(kept.values(), key=_start)


async def read_citations(library: Library, principal: Principal, id_: str, depth: int) -> Surroundings:
    """Return who cites whom around a document of the archive; `TimedOut` after the search timeout."""
    async with TimeLimit(library.search_timeout, _timed_out):
        return await _explore(Index(library, principal.team, ARCHIVE_INDEX), document_id(id_), depth)


@on_snapshot
async def _explore(snapshot: Snapshot, id_: DocumentId, depth: int) -> Surroundings:
    [document] = await snapshot.get([id_], text=False)
    if document is None:
        raise ArchiveDocumentNotFound
    root = ArchiveRecord(document.id, stored_fields(document.payload))
    return await surroundings_of(key_lookup(snapshot), root, depth)


def _timed_out() -> TimedOut:
    return TimedOut("The citations took too long", action="Ask for a smaller depth, or try again later")


def _begins_section(before: StoredPlace | None, place: StoredPlace) -> bool:
    _, page, heading, _ = place
    return before is None or (before[1], before[2]) != (page, heading)


def _thinned(places: Sequence[StoredPlace]) -> Sequence[StoredPlace]:
    return places[:: len(places) // _MAX_PLACES + 1]


def _start(place: StoredPlace) -> int:
    return place[0]
