"""Chunks: a worker takes one, reads and writes its files, and has them counted in their job, once."""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeVar

from indexer.errors import TimedOut, Unavailable
from indexer.records import Stored
from workers.context import WorkerContext
from workers.ingest.chunk_run import ChunkRun, without_culprit
from workers.ingest.steps import work_job
from workers.jobs.lease import Held, LeaseLost, take
from workers.jobs.records import MOST_ATTEMPTS, Chunk, ChunkFiles, Job
from workers.sources.interface import Entry

Done = TypeVar("Done")
_log = logging.getLogger(__name__)


def begin_chunk(context: WorkerContext, key: str, job_key: str) -> "BegunChunk | None":
    """Read and parse a chunk's files if nobody does; None if there is nothing left to do for it here.

    Whatever happens to this process, somebody will go on or report it.
    """
    context.broker.begun(key)
    found = context.jobs.all.get(job_key)
    files = context.jobs.files.get(key)
    if found is None or found.value.is_finished or files is None:
        return None
    job = found.value
    held = take(
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
        parsed = _tried(held, job, lambda: _parsed(context, held, job, files.value.entries))
        return None if parsed is None else BegunChunk(context, held, job, files, parsed, stack.pop_all())


@dataclass(frozen=True, slots=True)
class BegunChunk:
    """A chunk whose files are parsed; the rest needs no parser, and may be done in another thread."""

    context: WorkerContext
    held: Held[Chunk]
    job: Job
    files: Stored[ChunkFiles]
    portions: ChunkRun
    stack: ExitStack
    """Holds the lease."""

    def finish(self) -> None:
        """Wait for the last writes, and have the chunk counted; the job is finished with its last chunk."""
        with self.stack:
            chunk = _tried(self.held, self.job, self.portions.finish)
        if chunk is None:
            return
        if chunk.status == "waiting":
            self.context.broker.queue_chunk(self.job.key, self.files.key)
            return
        counted = self.context.jobs.count(self.job.key, chunk)
        self.context.jobs.files.remove(self.files)
        self.held.remove()
        if counted is not None and counted.is_worked_off and not counted.is_finished:
            work_job(self.context, self.job.key)


def _parsed(context: WorkerContext, held: Held[Chunk], job: Job, entries: tuple[Entry, ...]) -> ChunkRun:
    if held.value.attempts > MOST_ATTEMPTS:
        held.change(lambda chunk: without_culprit(chunk, entries))
    portions = ChunkRun(context, held, job, entries)
    portions.parse()
    return portions


def _tried(held: Held[Chunk], job: Job, work: Callable[[], Done]) -> Done | None:
    """Leave a chunk that is somebody else's by now, and give back one that cannot be done at present."""
    try:
        return work()
    except LeaseLost:
        pass
    except (Unavailable, TimedOut):
        _log.warning("A chunk has to wait", exc_info=True, extra={"job_id": job.id})
        held.give_back()
    return None
