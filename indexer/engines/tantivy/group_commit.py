"""Group commit: the thread that holds the commit lock commits all queued work of this process at once."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from indexer.errors import Unavailable

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
    """Calls `commit` with all work queued since the last commit, and the seconds that it may wait for others.

    `commit` returns one outcome each, in order.
    """

    def __init__(
        self, commit: Callable[[Sequence[Work], float], Sequence[Outcome]], patience: float, busy: str
    ) -> None:
        """Take how many seconds work waits for its commit to begin, and what is busy then, for the failure."""
        self._commit = commit
        self._patience = patience
        self._busy = busy
        self._commit_lock = threading.Lock()
        self._queue_lock = threading.Lock()
        self._queue: list[_QueuedWork[Work, Outcome]] = []

    def submit(self, work: Work) -> Outcome:
        """Return after the work is committed, alone or in a group. A failed commit raises in every caller.

        `Unavailable` if no commit took the work in time: then none will.
        """
        mine = _QueuedWork[Work, Outcome](work)
        deadline = time.monotonic() + self._patience
        with self._queue_lock:
            self._queue.append(mine)
        if not self._commit_lock.acquire(timeout=self._patience):
            if self._withdraw(mine):
                raise Unavailable(f"{self._busy} by other calls", action="Try again in a moment")
            # Its commit has begun, and only that knows whether it succeeds.
            self._commit_lock.acquire()
        try:
            if not mine.done:
                self._commit_queue(max(0.0, deadline - time.monotonic()))
        finally:
            self._commit_lock.release()
        if mine.failure is not None:
            raise mine.failure
        assert mine.outcome is not None  # noqa: S101 -- for the type checker: the work is done and did not fail
        return mine.outcome

    def _withdraw(self, mine: _QueuedWork[Work, Outcome]) -> bool:
        """Take work out of the queue; False if a commit has taken it."""
        with self._queue_lock:
            if mine not in self._queue:
                return False
            self._queue.remove(mine)
            return True

    def _commit_queue(self, seconds: float) -> None:
        with self._queue_lock:
            group, self._queue = self._queue, []
        try:
            outcomes = self._commit([queued.work for queued in group], seconds)
        except BaseException as failure:  # noqa: BLE001 -- raised again in each caller's thread
            for queued in group:
                queued.failure = failure
        else:
            for queued, outcome in zip(group, outcomes, strict=True):
                queued.outcome = outcome
