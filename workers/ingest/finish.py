"""The last step of an ingestion: refresh the archive, delete what a mirrored source no longer has, end the job."""

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from indexer.archives.ingest import delete_documents, refresh_archive, scan_root
from indexer.errors import PlatformError
from indexer.tenancy import DocumentId
from workers.context import WorkerContext
from workers.ingest.plan import CannotRun
from workers.jobs.lease import HeldLease
from workers.jobs.records import Job, Tally, check_current
from workers.sources.arguments import UploadSource
from workers.sources.interface import Source


def finish(context: WorkerContext, held: HeldLease[Job], job: Job, mirrored: Source | None) -> Job:
    """Finish an ingestion. Every step is idempotent, so another worker may repeat it."""
    held.change(lambda latest: replace(check_current(latest, job.plan), phase="finishing"))
    refresh_archive(context.library, job.team)
    if mirrored is not None:
        context.run(_delete_missing(context, held, job, mirrored))
    done = held.change(lambda latest: check_current(latest, job.plan).ended("done"))
    if done.tally.failed == 0 and (staged := _staged_upload(done)) is not None:
        context.staging.discard(staged)
    return done


async def _delete_missing(context: WorkerContext, held: HeldLease[Job], job: Job, source: Source) -> None:
    revision = context.library.clock.next()
    async for documents in scan_root(context.library, job.team, source.origin):
        held.check()
        missing = _find_missing(source, documents)
        if missing:
            _count_removed(held, job.plan, delete_documents(context.library, job.team, missing, revision))


def _count_removed(held: HeldLease[Job], plan: int, removed: int) -> None:
    tally = Tally(removed=removed)
    held.change(lambda latest: replace(check_current(latest, plan), tally=latest.tally + tally))


def _find_missing(source: Source, documents: Sequence[tuple[DocumentId, str]]) -> list[DocumentId]:
    try:
        # In the order of paths, the rules of a folder are read once for all of its documents.
        return [id_ for id_, path in sorted(documents, key=itemgetter(1)) if not source.still_there(path)]
    except PlatformError as error:
        raise CannotRun(error.message) from error


def _staged_upload(job: Job) -> str | None:
    if job.source is None or job.source.get("type") != "upload":
        return None
    return UploadSource.model_validate(job.source).staged
