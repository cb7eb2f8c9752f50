"""Questions about a team's archive that only jobs ask."""

from collections.abc import Mapping, Sequence

from indexer.archives.incoming import HttpCacheHeaders
from indexer.archives.ingest import refresh_archive, unchanged
from indexer.archives.mapping import version_value
from indexer.archives.stored import VERSION, stored_fields
from indexer.engines.port import SearchRequest
from indexer.errors import MissingIndex
from indexer.index.reading import read
from indexer.index.record import IndexRecord
from indexer.library import Library
from indexer.query.ast import AnyValue
from indexer.tenancy import ARCHIVE_INDEX, DocumentId, TeamId
from workers.jobs.records import Job


def refresh(library: Library, team: TeamId) -> None:
    """Let searches find everything written before; an archive that has nothing yet stays unmade."""
    if library.registry.get(team, ARCHIVE_INDEX).serving is not None:
        refresh_archive(library, team)


async def present(library: Library, team: TeamId, versions: Mapping[DocumentId, str]) -> set[DocumentId]:
    """As `unchanged`; but mostly all or none of them are there, and then counting them says it at half the cost."""
    values = tuple(version_value(id_, version) for id_, version in versions.items())
    wanted = SearchRequest(AnyValue(VERSION, values, internal=True), size=1, payload=False)

    async def count(record: IndexRecord) -> int:
        target = record.serving_target()
        return (await library.engine.reader.search(target, wanted)).total if target else 0

    found = await read(library, team, ARCHIVE_INDEX, count)
    if found in {0, len(versions)}:
        return set(versions) if found else set()
    return await unchanged(library, team, versions)


def validators_of(library: Library, team: TeamId, id_: DocumentId) -> HttpCacheHeaders | None:
    """Return by what to ask whether a fetched page has changed, if the archive has it and its server gave any."""
    target = library.registry.get(team, ARCHIVE_INDEX).serving_target()
    if target is None:
        return None
    try:
        [found] = library.engine.writer.get_many(target, [id_], text=False)
    except MissingIndex:  # replaced or deleted just now: the page is fetched whole
        return None
    return None if found is None else stored_fields(found.payload).get("validators")


def written_since(library: Library, job: Job, ids: Sequence[DocumentId]) -> set[DocumentId]:
    """Return those of these documents that were written since the job was asked for: by the job itself, as a rule."""
    target = library.registry.get(job.team, ARCHIVE_INDEX).serving_target()
    if target is None or not ids:
        return set()
    try:
        found = library.engine.writer.get_many(target, ids, text=False)
    except MissingIndex:  # replaced or deleted just now: they only count as unchanged
        return set()
    return {document.id for document in found if document is not None and document.revision >= job.revision}
