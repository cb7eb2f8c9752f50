"""A re-index as a job: the indexer does it and goes on where a dead worker left it; here its progress is shown."""

import time
from dataclasses import replace
from typing import Final

from indexer.reindex.rebuild import rebuild
from indexer.tenancy import DEFAULT_INDEX
from workers.context import WorkerContext
from workers.jobs.lease import Held, LeaseLost
from workers.jobs.records import Job, Tally, current

_LOOK_SECONDS: Final = 1.0


def reindex(context: WorkerContext, held: Held[Job], job: Job) -> Job:
    """Build the job's index anew."""
    watch = _Watch(held, job.plan)
    try:
        report = rebuild(
            context.library,
            job.team,
            job.index or DEFAULT_INDEX,
            owner=job.id,
            progress=watch.show,
            cancelled=watch.is_cancelled,
        )
    except _Fenced:
        raise LeaseLost from None
    tally = Tally(found=report.documents, indexed=report.documents)
    return held.change(lambda known: replace(current(known, job.plan), tally=tally).ended("done"))


class _Fenced(BaseException):
    """Another worker goes on with this very build: it must not be discarded, as any `Exception` would."""


class _Watch:
    """Shows progress in the job, and looks there whether to stop; both once a second at most."""

    def __init__(self, held: Held[Job], plan: int) -> None:
        self._held = held
        self._plan = plan
        self._progress = 0.0
        self._next = 0.0

    def show(self, progress: float) -> None:
        self._progress = progress

    def is_cancelled(self) -> bool:
        """Say whether the job was cancelled."""
        if time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + _LOOK_SECONDS
        try:
            job = self._held.change(lambda known: replace(known, progress=self._progress))
        except LeaseLost:
            raise _Fenced from None
        if job.plan != self._plan:
            raise _Fenced
        return job.is_finished
