"""A job's own steps: plan what is to be read, and finish when all chunks are counted. Chunks are done in between."""

import logging
from functools import partial
from typing import Final

from pydantic import TypeAdapter

from indexer.errors import PlatformError, TimedOut, Unavailable
from workers.context import WorkerContext
from workers.ingest.archive import validators_of
from workers.ingest.finish import finish
from workers.ingest.plan import CannotRun, begin, plan
from workers.jobs.lease import Held, LeaseLost, take
from workers.jobs.records import GAVE_UP, MOST_ATTEMPTS, Job, Problem, current
from workers.reindex import reindex
from workers.sources.arguments import FolderSource, IngestSource, S3Source, UploadSource, UrlsSource
from workers.sources.interface import Source
from workers.sources.open import open_source

_log = logging.getLogger(__name__)
_SOURCE: Final = TypeAdapter[IngestSource](IngestSource)


def work_job(context: WorkerContext, key: str) -> None:
    """Do a job's next step if nobody does it."""
    context.broker.begun(key)
    while True:
        held = take(context.jobs.all, key, context.owner, context.settings.worker_lease_seconds, is_due)
        if held is None:
            return
        with held:
            job = _step(context, held)
        if job is None or not is_due(job):
            return


def source_of(context: WorkerContext, job: Job) -> Source:
    """Open what the job reads; `PlatformError` if that cannot be read here."""
    recall = partial(validators_of, context.library, job.team)
    return open_source(_SOURCE.validate_python(job.source), context.settings, context.staging, recall)


def is_due(job: Job) -> bool:
    """Say whether the job itself has something to do now, not only its chunks."""
    return not job.is_finished and (job.phase == "planning" or job.is_worked_off)


def _step(context: WorkerContext, held: Held[Job]) -> Job | None:
    job = held.value
    try:
        if job.phase == "planning" and job.attempts <= MOST_ATTEMPTS:
            job = begin(held)
        return _next_step(context, held, job)
    except LeaseLost:
        return None
    except (Unavailable, TimedOut) as error:
        _log.warning("A job has to wait", exc_info=True, extra={"job_id": job.id})
        if job.kind == "ingest":
            held.give_back()
            return None
        # A build that writers could not write to fails so too, and may do so every time: the attempt counts.
        if job.attempts < MOST_ATTEMPTS:
            return None
        reason = error.message
    except CannotRun as failure:
        reason = failure.reason
    except PlatformError as error:
        reason = error.message
    return _fail(held, job, reason)


def _next_step(context: WorkerContext, held: Held[Job], job: Job) -> Job:
    if job.attempts > MOST_ATTEMPTS:
        raise CannotRun(GAVE_UP)
    if job.kind == "reindex":
        return reindex(context, held, job)
    if job.phase == "planning":
        return plan(context, held, job, _opened(context, job))
    mirrored = _opened(context, job) if job.source and job.source.get("mirror") else None
    return finish(context, held, job, mirrored)


def _opened(context: WorkerContext, job: Job) -> Source:
    try:
        return source_of(context, job)
    except PlatformError as error:
        raise CannotRun(error.message) from error


def _fail(held: Held[Job], job: Job, reason: str) -> Job | None:
    problem = Problem(_label(job), reason)
    try:
        return held.change(lambda known: current(known, job.plan).ended("failed", problem))
    except LeaseLost:
        return None


def _label(job: Job) -> str:
    """Return what stands for the job's source where it reports a path."""
    if job.source is None:
        return job.index or ""
    source = _SOURCE.validate_python(job.source)
    match source:
        case FolderSource():
            return source.path.rstrip("/").rpartition("/")[2]
        case S3Source():
            return f"s3://{source.bucket}/{source.prefix}"
        case UploadSource() | UrlsSource():
            return source.type
