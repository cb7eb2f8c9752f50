"""Lookups in a team's archive that only ingestion needs."""

from collections.abc import Mapping, Sequence

from indexer.archives.incoming import HttpCacheHeaders
from indexer.archives.ingest import unchanged
from indexer.archives.mapping import version_value
from indexer.archives.stored import VERSION, stored_fields
from indexer.engines.port import SearchRequest
from indexer.index.index import Index
from indexer.library import Library
from indexer.query.ast import AnyValue
from indexer.tenancy import ARCHIVE_INDEX, DocumentId, TeamId
from workers.jobs.records import Job


async def find_unchanged(library: Library, team: TeamId, versions: Mapping[DocumentId, str]) -> set[DocumentId]:
    """Return the ids that the archive holds in this version.

    Usually that is all of them or none. A count shows that at half the cost of `unchanged`.
    """
    values = tuple(version_value(id_, version) for id_, version in versions.items())
    request = SearchRequest(AnyValue(VERSION, values, internal=True), size=1, payload=False)
    matches = (await Index(library, team, ARCHIVE_INDEX).search(request)).total
    if matches in {0, len(versions)}:
        return set(versions) if matches else set()
    return await unchanged(library, team, versions)


def validators_of(library: Library, team: TeamId, id_: DocumentId) -> HttpCacheHeaders | None:
    """Return the `ETag` and `Last-Modified` of a page in the archive, for a conditional request; None without any."""
    [document] = Index(library, team, ARCHIVE_INDEX).get_now([id_])
    return None if document is None else stored_fields(document.payload).get("validators")


def written_since(library: Library, job: Job, ids: Sequence[DocumentId]) -> set[DocumentId]:
    """Return which documents were written since the job was requested, as a rule by the job itself."""
    # If the archive is replaced just now, the documents count as unchanged.
    revisions = Index(library, job.team, ARCHIVE_INDEX).revisions_now(ids)
    return {id_ for id_, revision in revisions.items() if revision >= job.revision}
