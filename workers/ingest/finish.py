"""Finishing: what was written is made searchable, what a mirrored source lost is removed, and the job is done."""

from collections.abc import Sequence
from dataclasses import replace

from indexer.archives.ingest import delete_documents, scan_root
from indexer.errors import PlatformError
from indexer.tenancy import DocumentId
from workers.context import WorkerContext
from workers.ingest.archive import refresh
from workers.ingest.plan import CannotRun
from workers.jobs.lease import Held
from workers.jobs.records import Job, Tally, current
from workers.sources.arguments import UploadSource
from workers.sources.interface import Source


def finish(context: WorkerContext, held: Held[Job], job: Job, mirrored: Source | None) -> Job:
    """Do the last steps of an ingestion; each of them may be done again."""
    held.change(lambda known: replace(current(known, job.plan), phase="finishing"))
    refresh(context.library, job.team)
    if mirrored is not None:
        context.run(_mirror(context, held, job, mirrored))
    done = held.change(lambda known: current(known, job.plan).ended("done"))
    if done.tally.failed == 0 and (staged := _staged(done)) is not None:
        context.staging.discard(staged)
    return done


async def _mirror(context: WorkerContext, held: Held[Job], job: Job, source: Source) -> None:
    revision = context.library.clock.next()
    async for documents in scan_root(context.library, job.team, source.origin):
        held.check()
        gone = _gone(source, documents)
        if gone:
            _count_removed(held, job.plan, delete_documents(context.library, job.team, gone, revision))


def _count_removed(held: Held[Job], plan: int, removed: int) -> None:
    more = Tally(removed=removed)
    held.change(lambda known: replace(current(known, plan), tally=known.tally + more))


def _gone(source: Source, documents: Sequence[tuple[DocumentId, str]]) -> list[DocumentId]:
    try:
        return [id_ for id_, path in documents if not source.still_there(path)]
    except PlatformError as error:
        raise CannotRun(error.message) from error


def _staged(job: Job) -> str | None:
    if job.source is None or job.source.get("type") != "upload":
        return None
    return UploadSource.model_validate(job.source).staged
