"""Revisions: every write carries one, and only a higher revision replaces a document."""

import time
from collections.abc import Callable
from threading import Lock


def now_microseconds() -> int:
    """Return the wall clock in microseconds since 1970."""
    return time.time_ns() // 1_000


class RevisionClock:
    """Issues increasing revisions close to the wall clock, so that processes order writes without coordination."""

    def __init__(self, now: Callable[[], int] = now_microseconds) -> None:
        self._now = now
        self._last = 0
        self._lock = Lock()

    def next(self, above: int = 0) -> int:
        """Return a revision that is newer than all before it, and higher than `above`.

        `above` affects this one revision only: the wrong clock of another process must not spread through this one.
        """
        with self._lock:
            self._last = max(self._now(), self._last + 1)
            return max(self._last, above + 1)
