"""Revisions: every write carries one, and only a higher one replaces what is there."""

import time
from collections.abc import Callable
from threading import Lock


def microseconds() -> int:
    """Return the wall clock in microseconds since 1970."""
    return time.time_ns() // 1_000


class RevisionClock:
    """Gives rising revisions near the wall clock, so that processes agree on what is newer without talking."""

    def __init__(self, now: Callable[[], int] = microseconds) -> None:
        self._now = now
        self._last = 0
        self._lock = Lock()

    def next(self, above: int = 0) -> int:
        """Return a revision that was not given here before, and that is higher than `above`.

        A far-off `above` raises this one alone: another process's wrong clock must not spread.
        """
        with self._lock:
            self._last = max(self._now(), self._last + 1)
            return max(self._last, above + 1)
