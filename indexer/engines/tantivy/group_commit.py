"""Group commit: the thread that holds the commit lock commits all queued work of this process at once."""

import threading
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

Work = TypeVar("Work")
Outcome = TypeVar("Outcome")


class _QueuedWork(Generic[Work, Outcome]):
    """One caller's work and, after the commit, its outcome or failure."""

    def __init__(self, work: Work) -> None:
        self.work: Final = work
        self.outcome: Outcome | None = None
        self.failure: BaseException | None = None

    @property
    def done(self) -> bool:
        return self.outcome is not None or self.failure is not None


class GroupCommit(Generic[Work, Outcome]):
    """Calls `commit` with all work queued since the last commit. `commit` returns one outcome each, in order."""

    def __init__(self, commit: Callable[[Sequence[Work]], Sequence[Outcome]]) -> None:
        self._commit = commit
        self._commit_lock = threading.Lock()
        self._queue_lock = threading.Lock()
        self._queue: list[_QueuedWork[Work, Outcome]] = []

    def submit(self, work: Work) -> Outcome:
        """Return after the work is committed, alone or in a group. A failed commit raises in every caller."""
        mine = _QueuedWork[Work, Outcome](work)
        with self._queue_lock:
            self._queue.append(mine)
        with self._commit_lock:
            if not mine.done:
                self._commit_queue()
        if mine.failure is not None:
            raise mine.failure
        assert mine.outcome is not None  # noqa: S101 -- for the type checker: the work is done and did not fail
        return mine.outcome

    def _commit_queue(self) -> None:
        with self._queue_lock:
            group, self._queue = self._queue, []
        try:
            outcomes = self._commit([queued.work for queued in group])
        except BaseException as failure:  # noqa: BLE001 -- raised again in each caller's thread
            for queued in group:
                queued.failure = failure
        else:
            for queued, outcome in zip(group, outcomes, strict=True):
                queued.outcome = outcome
