"""How workers fill an archive: what is there, writing, removing. Revisions are the caller's, kept by retries."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Final

from indexer.archives.incoming import IncomingDocument
from indexer.archives.mapping import archive_document, version_value
from indexer.archives.stored import ROOT, VERSION, stored_fields
from indexer.engines.port import Deletion, SearchRequest, SearchResponse, Written
from indexer.index.deletion_log import log_deletions
from indexer.index.reading import read
from indexer.index.record import IndexRecord
from indexer.index.writing import delete_everywhere, refresh_all, serving_record, write_documents
from indexer.library import Library
from indexer.query.ast import AnyValue, Query
from indexer.tenancy import ARCHIVE_INDEX, DocumentId, TeamId

_SCANNED: Final = 1_000


async def unchanged(library: Library, team: TeamId, versions: Mapping[DocumentId, str]) -> set[DocumentId]:
    """Return those of these documents that the archive has in just this version."""
    values = tuple(version_value(id_, version) for id_, version in versions.items())
    found = await _find(library, team, SearchRequest(_internal(VERSION, values), size=len(values), payload=False))
    return {hit.id for hit in found.hits} if found else set()


def write_incoming(
    library: Library, team: TeamId, arrivals: Sequence[IncomingDocument], revision: int
) -> list[Written]:
    """Write documents; `refresh_archive` makes them found. What was deleted or written later stays as it is."""
    documents = [archive_document(arrival, revision) for arrival in arrivals]
    return write_documents(library, team, ARCHIVE_INDEX, documents, refresh=False)


def refresh_archive(library: Library, team: TeamId) -> None:
    """Return when everything written before is found by searches."""
    refresh_all(library, serving_record(library, team, ARCHIVE_INDEX))


def delete_documents(library: Library, team: TeamId, ids: Collection[DocumentId], revision: int) -> int:
    """Delete documents that are not newer than this revision; return how many there were."""
    if library.registry.get(team, ARCHIVE_INDEX).serving is None:
        return 0
    deletions = [Deletion(id_, revision) for id_ in ids]
    log_deletions(library.engine.records, team, ARCHIVE_INDEX, deletions)
    outcomes = delete_everywhere(library, team, ARCHIVE_INDEX, deletions)
    return sum(outcome.status == "deleted" for outcome in outcomes)


async def scan_root(library: Library, team: TeamId, root: str) -> AsyncIterator[list[tuple[DocumentId, str]]]:
    """Yield id and path of all documents that came from this folder or host, as they were at the start."""
    record = await library.registry.cached(team, ARCHIVE_INDEX, fresh=True)
    target = record.serving_target()
    if target is None:
        return
    view = await library.engine.reader.open_view(target)
    wanted = SearchRequest(_internal(ROOT, (root,)), size=_SCANNED, view=view)
    while hits := (await library.engine.reader.search(target, wanted)).hits:
        yield [(hit.id, stored_fields(hit.payload)["path"]) for hit in hits]
        wanted = SearchRequest(_internal(ROOT, (root,)), size=_SCANNED, view=view, after=hits[-1].position)
    await library.engine.reader.close_view(view)


def _internal(name: str, values: tuple[str, ...]) -> Query:
    return AnyValue(name, values, internal=True)


async def _find(library: Library, team: TeamId, wanted: SearchRequest) -> SearchResponse | None:
    async def search(record: IndexRecord) -> SearchResponse | None:
        target = record.serving_target()
        return await library.engine.reader.search(target, wanted) if target else None

    return await read(library, team, ARCHIVE_INDEX, search)
