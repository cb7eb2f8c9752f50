"""The job task: plan an ingestion, finish it when all chunks are counted, or run a re-index."""

import logging
import threading
from functools import partial

from indexer.errors import PlatformError, TimedOut, Unavailable
from workers.context import WorkerContext
from workers.ingest.archive import validators_of
from workers.ingest.finish import finish
from workers.ingest.plan import CannotRun, plan, start_plan
from workers.jobs.lease import HeldLease, LeaseLost, acquire
from workers.jobs.records import GAVE_UP, MAX_ATTEMPTS, Job, Problem, check_current
from workers.reindex import reindex
from workers.sources.arguments import SOURCE, FolderSource, S3Source, UploadSource, UrlsSource
from workers.sources.interface import Source
from workers.sources.open import open_source

_log = logging.getLogger(__name__)


def run_job(context: WorkerContext, key: str, stopping: threading.Event | None = None) -> None:
    """Run the steps of a job that are due, unless another worker has the lease; `stopping` interrupts them."""
    seconds = context.settings.worker_lease_seconds
    while True:
        held = acquire(context.jobs.all, key, context.owner, seconds, is_due, stopping=stopping)
        if held is None:
            return
        with held:
            job = _run_step(context, held)
        if job is None or not is_due(job):
            return


def open_job_source(context: WorkerContext, job: Job) -> Source:
    """Open the job's source; `PlatformError` if it cannot be read here, or may not be read by the job's team."""
    cache_headers = partial(validators_of, context.library, job.team)
    rights = context.rights_of(job)
    return open_source(SOURCE.validate_python(job.source), context.settings, rights, context.staging, cache_headers)


def is_due(job: Job) -> bool:
    """Return whether the job has a step to run now; otherwise it is finished or waits for its chunks."""
    return not job.is_finished and (job.phase == "planning" or job.is_ready_to_finish)


def _run_step(context: WorkerContext, held: HeldLease[Job]) -> Job | None:
    job = held.value
    try:
        if job.phase == "planning" and job.attempts <= MAX_ATTEMPTS:
            job = start_plan(held)
        return _run_phase(context, held, job)
    except LeaseLost:
        return None
    except (Unavailable, TimedOut) as error:
        _log.warning("A job cannot run at present", exc_info=True, extra={"job_id": job.id})
        if job.kind == "ingest":
            held.release_uncounted()
            return None
        # The attempt at a re-index counts, because a shadow index that rejects writes fails in the same way every time.
        if job.attempts < MAX_ATTEMPTS:
            return None
        reason = error.message
    except CannotRun as failure:
        reason = failure.reason
    except PlatformError as error:
        reason = error.message
    return _fail(held, job, reason)


def _run_phase(context: WorkerContext, held: HeldLease[Job], job: Job) -> Job:
    if job.attempts > MAX_ATTEMPTS:
        raise CannotRun(GAVE_UP)
    if job.kind == "reindex":
        return reindex(context, held, job)
    if job.phase == "planning":
        return plan(context, held, job, _open_or_fail(context, job))
    # A retry of some files says nothing of the others, so none is deleted.
    is_mirror = job.retry is None and job.source is not None and job.source.get("mirror")
    return finish(context, held, job, _open_or_fail(context, job) if is_mirror else None)


def _open_or_fail(context: WorkerContext, job: Job) -> Source:
    try:
        return open_job_source(context, job)
    except PlatformError as error:
        raise CannotRun(error.message) from error


def _fail(held: HeldLease[Job], job: Job, reason: str) -> Job | None:
    try:
        return held.change(lambda latest: _failed(check_current(latest, job.plan), reason))
    except LeaseLost:
        return None


def _failed(job: Job, reason: str) -> Job:
    if job.retry is not None and job.phase == "planning":
        return job.failed_again(job.retry, reason)
    return job.ended("failed", Problem(_label(job), reason))


def _label(job: Job) -> str:
    """Return the name of the job's source, as the path of an error that concerns the whole job."""
    if job.source is None:
        return job.index or ""
    source = SOURCE.validate_python(job.source)
    match source:
        case FolderSource():
            return source.path.rstrip("/").rpartition("/")[2]
        case S3Source():
            return f"s3://{source.bucket}/{source.prefix}"
        case UploadSource() | UrlsSource():
            return source.type
