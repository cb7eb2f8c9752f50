"""The chunk task: acquire a chunk's lease, parse and write its files, count the result in its job, once.

Celery acknowledges the message when the files are parsed. The last writes and the count follow in the background, while
the next task starts. The lease covers them: if the worker dies before the end, the sweep queues the chunk again.
"""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeVar

from indexer.errors import TimedOut, Unavailable
from indexer.records import Stored
from workers.context import WorkerContext
from workers.ingest.chunk_run import ChunkRun, skip_culprit
from workers.ingest.steps import run_job
from workers.jobs.lease import HeldLease, LeaseLost, acquire
from workers.jobs.records import MAX_ATTEMPTS, Chunk, ChunkFiles, Job
from workers.sources.interface import Entry

Result = TypeVar("Result")
_log = logging.getLogger(__name__)


def parse_chunk(context: WorkerContext, key: str, job_key: str) -> "ParsedChunk | None":
    """Read and parse a chunk's files; None if another worker has the lease, or nothing is left to do.

    If this process dies, the sweep queues the chunk again.
    """
    record = context.jobs.all.get(job_key)
    files = context.jobs.files.get(key)
    if record is None or record.value.is_finished or files is None:
        return None
    job = record.value
    held = acquire(
        context.jobs.chunks,
        key,
        context.owner,
        context.settings.worker_lease_seconds,
        lambda chunk: chunk.status == "waiting" and chunk.plan == job.plan,
    )
    if held is None:
        return None
    with ExitStack() as stack:
        stack.enter_context(held)
        run = _attempt(held, job, lambda: _start_run(context, held, job, files.value.entries))
        return None if run is None else ParsedChunk(context, held, job, files, run, stack.pop_all())


@dataclass(frozen=True, slots=True)
class ParsedChunk:
    """A chunk whose files are parsed. The rest needs no parser, so another thread may finish it."""

    context: WorkerContext
    held: HeldLease[Chunk]
    job: Job
    files: Stored[ChunkFiles]
    run: ChunkRun
    stack: ExitStack
    """Renews the lease until it is closed."""

    def finish(self) -> None:
        """Wait for the last writes and count the chunk; the last chunk of a job also finishes the job."""
        with self.stack:
            chunk = _attempt(self.held, self.job, self.run.finish)
        if chunk is None:
            return
        if chunk.status == "waiting":
            self.context.broker.queue_chunk(self.files.key)
            return
        job = self.context.jobs.count_chunk(self.job.key, chunk)
        self.context.jobs.files.remove(self.files)
        self.held.remove()
        if job is not None and job.is_ready_to_finish and not job.is_finished:
            run_job(self.context, self.job.key)


def _start_run(context: WorkerContext, held: HeldLease[Chunk], job: Job, entries: tuple[Entry, ...]) -> ChunkRun:
    if held.value.attempts > MAX_ATTEMPTS:
        held.change(lambda chunk: skip_culprit(chunk, entries))
    run = ChunkRun(context, held, job, entries)
    run.parse()
    return run


def _attempt(held: HeldLease[Chunk], job: Job, work: Callable[[], Result]) -> Result | None:
    """Do the work; None if the lease is lost, or if the chunk was released because the engine is down."""
    try:
        return work()
    except LeaseLost:
        pass
    except (Unavailable, TimedOut):
        _log.warning("A chunk cannot be processed at present", exc_info=True, extra={"job_id": job.id})
        held.release_uncounted()
    return None
