"""Runs a re-index as a job: the indexer rebuilds, this module reports the progress and looks for a cancellation.

If the worker dies, the worker that acquires the job's lease starts the rebuild again.
"""

import time
from dataclasses import replace
from typing import Final

from indexer.reindex.rebuild import rebuild
from indexer.tenancy import DEFAULT_INDEX
from workers.context import WorkerContext
from workers.jobs.lease import HeldLease, LeaseLost
from workers.jobs.records import Job, Tally, check_current

_CHECK_SECONDS: Final = 1.0


def reindex(context: WorkerContext, held: HeldLease[Job], job: Job) -> Job:
    """Rebuild the job's index and return the job as done."""
    reporter = _Reporter(held, job.plan)
    try:
        report = rebuild(
            context.library,
            job.team,
            job.index or DEFAULT_INDEX,
            owner=job.id,
            progress=reporter.report,
            cancelled=reporter.is_cancelled,
        )
    except _Fenced:
        raise LeaseLost from None
    tally = Tally(found=report.documents, indexed=report.documents)
    return held.change(lambda latest: replace(check_current(latest, job.plan), tally=tally).ended("done"))


class _Fenced(BaseException):
    """The lease is lost: the rebuild belongs to another worker.

    A `BaseException`, because the indexer discards the shadow index at an `Exception`.
    """


class _Reporter:
    """Writes the progress into the job and reads whether it was cancelled, at most once a second."""

    def __init__(self, held: HeldLease[Job], plan: int) -> None:
        self._held = held
        self._plan = plan
        self._progress = 0.0
        self._next_check = 0.0

    def report(self, progress: float) -> None:
        self._progress = progress

    def is_cancelled(self) -> bool:
        """Return whether the job was cancelled; raise `_Fenced` if the lease is lost."""
        if time.monotonic() < self._next_check:
            return False
        self._next_check = time.monotonic() + _CHECK_SECONDS
        try:
            job = self._held.change(lambda latest: replace(latest, progress=self._progress))
        except LeaseLost:
            raise _Fenced from None
        if job.plan != self._plan:
            raise _Fenced
        return job.is_finished
