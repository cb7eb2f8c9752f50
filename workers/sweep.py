"""The sweep: finds work that nobody does, whatever was lost, and has it done.

Every worker process shows life at each turn; one of them at a time sweeps.
"""

import logging
import threading
import time
from dataclasses import dataclass, field, replace
from typing import Final

from indexer.errors import PlatformError
from indexer.records import Store, Stored
from workers.context import WorkerContext
from workers.housekeeping import keep_house
from workers.ingest.steps import is_due
from workers.jobs.lease import Lease, LeaseLost, take
from workers.jobs.records import Chunk, Job, Unfinished

_log = logging.getLogger(__name__)
_KEY: Final = "sweep"
_HOUSE_SECONDS: Final = 600.0
_STOP_SECONDS: Final = 5.0
_YOUNG: Final = 60.0
"""Seconds in which a mark may be there before its job is."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Who sweeps now, and when the house was last kept."""

    house_kept: float = 0.0
    attempts: int = 0
    lease: Lease = field(default_factory=Lease)


class Sweeper(threading.Thread):
    """Sweeps again and again while the process lives."""

    def __init__(self, context: WorkerContext) -> None:
        super().__init__(name="sweep", daemon=True)
        self._context = context
        self._stopped = threading.Event()
        # Opened here, before two threads ask for it at once.
        self._turns = Store(context.jobs.records, "turns", Turn)

    def run(self) -> None:
        while True:
            self._context.broker.show_life()
            try:
                self._sweep()
            except LeaseLost:
                pass
            except PlatformError:
                _log.warning("The sweep has to wait", exc_info=True)
            except Exception:  # noqa: BLE001 (a bug must not end the sweeps)
                _log.exception("The sweep failed")
            if self._stopped.wait(self._context.settings.worker_sweep_seconds):
                return

    def stop(self) -> None:
        """End after this turn; one that takes long is not waited for, since the process's end ends it too."""
        self._stopped.set()
        self.join(_STOP_SECONDS)

    def _sweep(self) -> None:
        if self._turns.get(_KEY) is None:
            self._turns.create(_KEY, Turn())
        seconds = self._context.settings.worker_lease_seconds
        held = take(self._turns, _KEY, self._context.owner, seconds, lambda _turn: True)
        if held is None:
            return
        with held:
            sweep(self._context)
            now = time.time()
            if held.value.house_kept < now - _HOUSE_SECONDS:
                held.change(lambda turn: replace(turn, house_kept=now))
                keep_house(self._context)


def sweep(context: WorkerContext) -> None:
    """Look once at everything that is not finished."""
    for mark in context.jobs.unfinished.list():
        try:
            _sweep_one(context, mark)
        except PlatformError:
            raise
        except Exception:  # noqa: BLE001 (one job's bug must not keep the others waiting)
            _log.exception("A job cannot be looked after", extra={"job_id": mark.key.rpartition("/")[2]})


def _sweep_one(context: WorkerContext, mark: Stored[Unfinished]) -> None:
    found = context.jobs.all.get(mark.key)
    if found is not None:
        _sweep_chunks(context, found.value)
        _sweep_job(context, mark)
    elif mark.value.since < time.time() - _YOUNG:
        context.jobs.unfinished.remove(mark)


def _sweep_job(context: WorkerContext, mark: Stored[Unfinished]) -> None:
    # Read anew: chunks may have been counted just now.
    found = context.jobs.all.get(mark.key)
    if found is None or found.value.lease.lives():
        return
    if found.value.is_finished:
        if not context.jobs.chunks.list(f"{mark.key}/"):
            for stray in context.jobs.files.list(f"{mark.key}/"):
                context.jobs.files.remove(stray)
            context.jobs.unfinished.remove(mark)
    elif is_due(found.value):
        _queue_again(context, [mark.key])
        context.broker.queue_job(mark.key)


def _sweep_chunks(context: WorkerContext, job: Job) -> None:
    waiting: list[str] = []
    for chunk in context.jobs.chunks.list(f"{job.key}/"):
        if chunk.value.lease.lives():
            continue
        if chunk.value.plan != job.plan or (job.is_finished and chunk.value.status == "waiting"):
            # A planning that has begun since `job` was read may have made it.
            if chunk.value.plan <= job.plan:
                _forget(context, chunk)
        elif chunk.value.status == "waiting":
            waiting.append(chunk.key)
        else:
            context.jobs.count(job.key, chunk.value)
            _forget(context, chunk)
    _queue_again(context, waiting)
    for key in waiting:
        if not context.broker.queue_chunk(job.key, key):
            return


def _queue_again(context: WorkerContext, keys: list[str]) -> None:
    """Where nothing is queued, marks that say so are wrong."""
    if keys and context.broker.is_empty():
        context.broker.forget_marks(keys)


def _forget(context: WorkerContext, chunk: Stored[Chunk]) -> None:
    # The state goes first here: if somebody has taken the chunk meanwhile, its files must stay.
    if context.jobs.chunks.remove(chunk):
        context.jobs.files.drop(chunk.key)
