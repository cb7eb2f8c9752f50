"""The sweep: finds unfinished work that has no live lease, and queues it again.

Every pool process sends a heartbeat and tries to sweep once per `TRAWL_WORKER_SWEEP_SECONDS`; a lease lets one of them
at a time do it. The sweep decides by the records, so it repairs every loss of the queue:

- A worker died: the lease of its job or chunk has expired, so the sweep queues the work again. A chunk that was done
  but not yet counted is counted here.
- Redis died, lost its data, or was down when work was queued: the work still waits in the records, so the sweep queues
  it again. What is queued stays in its place, and gets messages again if all of them were lost.
- Work is done by two workers because the sweep queued it a second time: the lease lets one of them do it, and a chunk
  is counted once.
- A file keeps killing its worker: the sweep queues the chunk each time. `ingest/chunk_run.py` finds the file by the
  attempts in the record and gives it up.
- A job was cancelled or planned again: its orphaned chunks are removed.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from indexer.errors import PlatformError
from indexer.records import Store, Stored
from workers.context import WorkerContext
from workers.housekeeping import clean_up
from workers.ingest.steps import is_due
from workers.jobs.lease import Lease, LeaseLost, acquire
from workers.jobs.records import Chunk, Job, UnfinishedMarker

_log = logging.getLogger(__name__)
_KEY: Final = "sweep"
_CLEANUP_SECONDS: Final = 600.0
_START_SECONDS: Final = 1.0
_STOP_SECONDS: Final = 5.0
_GRACE_SECONDS: Final = 60.0
"""How long a marker may exist without its job: the marker is written first."""


@dataclass(frozen=True, slots=True)
class SweepTurn:
    """The record of the sweep: its lease, and when the last cleanup started (seconds since 1970)."""

    cleaned_at: float = 0.0
    attempts: int = 0
    lease: Lease = field(default_factory=Lease)


class Sweeper(threading.Thread):
    """Sweeps periodically while the process lives, and starts jobs in between."""

    def __init__(self, context: WorkerContext, start_jobs: Callable[[], None]) -> None:
        """Call `start_jobs` every second, because messages wait while all processes parse the files of other jobs."""
        super().__init__(name="sweep", daemon=True)
        self._context = context
        self._start_jobs = start_jobs
        self._stopped = threading.Event()
        self._turns = Store(context.jobs.records, "turns", SweepTurn)

    def run(self) -> None:
        while True:
            self._context.broker.send_heartbeat()
            try:
                self._sweep()
            except LeaseLost:
                pass
            except PlatformError:
                _log.warning("The sweep cannot run at present", exc_info=True)
            except Exception:  # noqa: BLE001 (a bug must not end the sweeps)
                _log.exception("The sweep failed")
            if self._start_jobs_until_next_sweep():
                return

    def stop(self) -> None:
        """Stop after the current sweep; a long one ends with the process, because this is a daemon thread."""
        self._stopped.set()
        self.join(_STOP_SECONDS)

    def _start_jobs_until_next_sweep(self) -> bool:
        """Return whether this thread was stopped."""
        next_sweep = time.monotonic() + self._context.settings.worker_sweep_seconds
        while (remaining := next_sweep - time.monotonic()) > 0:
            self._start_jobs()
            if self._stopped.wait(min(remaining, _START_SECONDS)):
                return True
        return False

    def _sweep(self) -> None:
        if self._turns.get(_KEY) is None:
            self._turns.create(_KEY, SweepTurn())
        seconds = self._context.settings.worker_lease_seconds
        held = acquire(self._turns, _KEY, self._context.owner, seconds, lambda _turn: True)
        if held is None:
            return
        with held:
            sweep(self._context)
            now = time.time()
            if held.value.cleaned_at < now - _CLEANUP_SECONDS:
                held.change(lambda turn: replace(turn, cleaned_at=now))
                clean_up(self._context)


def sweep(context: WorkerContext) -> None:
    """Check every unfinished job once."""
    for marker in context.jobs.unfinished.list():
        try:
            _sweep_one(context, marker)
        except PlatformError:
            raise
        except Exception:  # noqa: BLE001 (a bug with one job must not hold up the others)
            _log.exception("The sweep of a job failed", extra={"job_id": marker.key.rpartition("/")[2]})
    context.broker.replace_lost_messages()


def _sweep_one(context: WorkerContext, marker: Stored[UnfinishedMarker]) -> None:
    job = context.jobs.all.get(marker.key)
    if job is not None:
        _sweep_chunks(context, job.value)
        _sweep_job(context, marker)
    elif marker.value.since < time.time() - _GRACE_SECONDS:
        context.jobs.unfinished.remove(marker)


def _sweep_job(context: WorkerContext, marker: Stored[UnfinishedMarker]) -> None:
    # Read again, because the sweep of its chunks may have counted some.
    job = context.jobs.all.get(marker.key)
    if job is None or job.value.lease.is_live():
        return
    if job.value.is_finished:
        if not context.jobs.chunks.list(f"{marker.key}/"):
            for orphan in context.jobs.files.list(f"{marker.key}/"):
                context.jobs.files.remove(orphan)
            context.jobs.unfinished.remove(marker)
    elif is_due(job.value):
        context.broker.queue_job(marker.key)


def _sweep_chunks(context: WorkerContext, job: Job) -> None:
    waiting: list[str] = []
    for chunk in context.jobs.chunks.list(f"{job.key}/"):
        if chunk.value.lease.is_live():
            continue
        if chunk.value.plan != job.plan or (job.is_finished and chunk.value.status == "waiting"):
            # A higher plan was started after `job` was read, so its chunks are not orphaned.
            if chunk.value.plan <= job.plan:
                _remove_chunk(context, chunk)
        elif chunk.value.status == "waiting":
            waiting.append(chunk.key)
        else:
            context.jobs.count_chunk(job.key, chunk.value)
            _remove_chunk(context, chunk)
    for key in waiting:
        if not context.broker.queue_chunk(key):
            return


def _remove_chunk(context: WorkerContext, chunk: Stored[Chunk]) -> None:
    # The chunk goes first: if a worker has acquired it meanwhile, its list of files must stay.
    if context.jobs.chunks.remove(chunk):
        context.jobs.files.drop(chunk.key)
