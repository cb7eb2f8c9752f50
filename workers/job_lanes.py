"""Runs job tasks in threads, so that a long plan or re-index holds up neither chunks nor other jobs.

A message only starts what may run: some jobs of a team and a few more in all at a time. When a job ends, its thread
starts what waits by then.
"""

import logging
import threading
import time
from collections import Counter
from typing import Final

from workers.context import WorkerContext
from workers.fair_queue import team_of
from workers.ingest.steps import run_job
from workers.jobs.lease import WorkerStopping

_log = logging.getLogger(__name__)
_MAX_JOBS: Final = 8
_MAX_JOBS_OF_TEAM: Final = 3
"""So that a small job does not wait for a long one of its team, and all of a team's long ones leave room for others."""
_STOP_SECONDS: Final = 10.0


class JobLanes:
    """The job tasks that run in this process, a few for each team. Nothing is opened before the first one."""

    def __init__(self, context: WorkerContext) -> None:
        self._context = context
        self._lock = threading.Lock()
        self._running: dict[str, threading.Thread] = {}
        """By the keys of the jobs."""
        self._again: set[str] = set()
        """Those that were queued a second time meanwhile."""
        self._stopping = threading.Event()

    def fill(self) -> None:
        """Start the queued jobs that may run now; returns at once."""
        with self._lock:
            while not self._stopping.is_set() and len(self._running) < _MAX_JOBS:
                running = Counter(map(team_of, self._running))
                key = self._context.broker.next_job([team for team in running if running[team] >= _MAX_JOBS_OF_TEAM])
                if key is None:
                    return
                if key in self._running:
                    self._again.add(key)
                    continue
                thread = threading.Thread(target=self._run, args=(key,), name="job", daemon=True)
                self._running[key] = thread
                thread.start()

    def stop(self) -> None:
        """Interrupt all jobs at their next step, and wait for them for some seconds."""
        self._stopping.set()
        deadline = time.monotonic() + _STOP_SECONDS
        with self._lock:
            threads = list(self._running.values())
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _run(self, key: str) -> None:
        is_due = True
        while is_due:
            try:
                run_job(self._context, key, self._stopping)
            except WorkerStopping:
                pass  # its lease is released, and another worker does it again
            except Exception:  # noqa: BLE001 (a bug with one job must not hold up the others)
                _log.exception("A job task failed", extra={"job_id": key.rpartition("/")[2]})
            with self._lock:
                is_due = key in self._again and not self._stopping.is_set()
                self._again.discard(key)
                if not is_due:
                    del self._running[key]
        self.fill()
