"""The functions by which workers fill an archive. The caller chooses the revision, and a retry must use the same."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from indexer.archives.incoming import IncomingDocument
from indexer.archives.mapping import archive_document, version_value
from indexer.archives.stored import ROOT, VERSION, stored_fields
from indexer.engines.port import Deletion, SearchRequest, Written
from indexer.index.deletion_log import log_deletions
from indexer.index.index import Index
from indexer.index.writing import delete_everywhere, refresh_all, write_documents
from indexer.library import Library
from indexer.query.ast import AnyValue, Query
from indexer.tenancy import ARCHIVE_INDEX, DocumentId, TeamId

_SCAN_BATCH_SIZE: Final = 1_000


async def unchanged(library: Library, team: TeamId, versions: Mapping[DocumentId, str]) -> set[DocumentId]:
    """Return the IDs of the documents that the archive has in exactly this version."""
    values = tuple(version_value(id_, version) for id_, version in versions.items())
    request = SearchRequest(_internal_condition(VERSION, values), size=len(values), payload=False)
    return {hit.id for hit in (await Index(library, team, ARCHIVE_INDEX).search(request)).hits}


def write_incoming(
    library: Library, team: TeamId, incoming: Sequence[IncomingDocument], revision: int
) -> list[Written]:
    """Write documents; they are searchable after `refresh_archive`. A newer write or deletion of a document wins."""
    documents = [archive_document(document, revision) for document in incoming]
    return write_documents(library, team, ARCHIVE_INDEX, documents, refresh=False)


def refresh_archive(library: Library, team: TeamId) -> None:
    """Make everything written so far visible to searches; an archive without documents is not created."""
    record = library.registry.get(team, ARCHIVE_INDEX)
    if record.serving is not None:
        refresh_all(library, record)


def delete_documents(library: Library, team: TeamId, ids: Collection[DocumentId], revision: int) -> int:
    """Delete documents unless they are newer than this revision; return how many were deleted."""
    record = library.registry.get(team, ARCHIVE_INDEX)
    if record.serving is None:
        return 0
    deletions = [Deletion(id_, revision) for id_ in ids]
    log_deletions(library.engine.records, team, ARCHIVE_INDEX, deletions)
    outcomes = delete_everywhere(library, record, deletions)
    return sum(outcome.status == "deleted" for outcome in outcomes)


async def scan_root(library: Library, team: TeamId, root: str) -> AsyncIterator[list[tuple[DocumentId, str]]]:
    """Yield batches of ID and path of all documents from this root, from a point-in-time view."""
    snapshot = await Index(library, team, ARCHIVE_INDEX).snapshot(fresh=True)
    if snapshot.target is None:
        return
    view = await snapshot.reader.open_view(snapshot.target)
    request = SearchRequest(_internal_condition(ROOT, (root,)), size=_SCAN_BATCH_SIZE, view=view)
    while hits := (await snapshot.search(request)).hits:
        yield [(hit.id, stored_fields(hit.payload)["path"]) for hit in hits]
        request = replace(request, after=hits[-1].position)
    await snapshot.reader.close_view(view)


def _internal_condition(name: str, values: tuple[str, ...]) -> Query:
    return AnyValue(name, values, internal=True)
