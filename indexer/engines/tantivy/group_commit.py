"""Concurrent writes of one process become one commit: who waits for a turn is served by whoever has it."""

import threading
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

Work = TypeVar("Work")
Outcome = TypeVar("Outcome")


class _Waiting(Generic[Work, Outcome]):
    """A caller's work, and what became of it."""

    def __init__(self, work: Work) -> None:
        self.work: Final = work
        self.outcome: Outcome | None = None
        self.failure: BaseException | None = None

    @property
    def done(self) -> bool:
        return self.outcome is not None or self.failure is not None


class GroupCommit(Generic[Work, Outcome]):
    """Runs `commit` for all the work that has come in since the last one; one outcome for each, in order."""

    def __init__(self, commit: Callable[[Sequence[Work]], Sequence[Outcome]]) -> None:
        self._commit = commit
        self._turn = threading.Lock()
        self._queue = threading.Lock()
        self._waiting: list[_Waiting[Work, Outcome]] = []

    def submit(self, work: Work) -> Outcome:
        """Return when the work is committed, alone or with others; its failure is raised for each of them."""
        mine = _Waiting[Work, Outcome](work)
        with self._queue:
            self._waiting.append(mine)
        with self._turn:
            if not mine.done:
                self._serve()
        if mine.failure is not None:
            raise mine.failure
        assert mine.outcome is not None  # noqa: S101 -- for the type checker: it is done, and did not fail
        return mine.outcome

    def _serve(self) -> None:
        with self._queue:
            waiting, self._waiting = self._waiting, []
        try:
            outcomes = self._commit([one.work for one in waiting])
        except BaseException as failure:  # noqa: BLE001 -- raised again in each caller's thread
            for one in waiting:
                one.failure = failure
        else:
            for one, outcome in zip(waiting, outcomes, strict=True):
                one.outcome = outcome
