"""Threads for the work of searches, which ends soon after its caller has given up.

Python cannot stop a thread, so long work calls `check` again and again. Work that has taken some time goes on in a lane
of its own, which is narrow: so a few long searches hold up each other, and not the many short ones.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from math import inf
from typing import Final, TypeVar

from indexer.deadline import TimeLimit, remaining, timed_out
from indexer.errors import Unavailable

SIZE: Final = (os.cpu_count() or 1) + 4
LONG_AT_ONCE: Final = 2
"""More would take the interpreter's lock from the event loop too often."""
_MAX_WAITING: Final = 24
"""How many long pieces of work wait in threads for their turn."""
_SHORT_SECONDS: Final = 0.2
_LOOK_SECONDS: Final = 0.05
_RETRY_SECONDS: Final = 2

Result = TypeVar("Result")
Check = Callable[[], None]
"""Raises if nobody waits for the work any more."""


class GivenUp(Exception):
    """Nobody waits for this work any more."""


class _Lane:
    """Lets so many pieces of work run at once, and so many wait."""

    def __init__(self, size: int, waiting: int) -> None:
        self.size = size
        self._turns = threading.Semaphore(size)
        self._room = threading.Semaphore(size + waiting)

    def enter(self, check: Check) -> None:
        """Wait for a turn, as long as `check` lets it."""
        if not self._room.acquire(blocking=False):
            raise _busy()
        try:
            while not self._turns.acquire(timeout=_LOOK_SECONDS):
                check()
        except BaseException:
            self._room.release()
            raise

    def leave(self) -> None:
        self._turns.release()
        self._room.release()


class Work:
    """A piece of work, for as long as somebody waits for it."""

    __slots__ = ("_began", "_ends_at", "_long", "_long_from", "is_given_up", "lane")

    def __init__(self, seconds: float, long: _Lane) -> None:
        self._ends_at = time.monotonic() + seconds
        self._long = long
        self._long_from = inf
        self._began = 0.0
        self.is_given_up = False
        self.lane: _Lane | None = None
        """The lane in which it runs now."""

    def check(self) -> None:
        """Raise `GivenUp` if the caller is gone or the time is over. Long work waits here for a turn."""
        self._raise_if_over()
        # Waiting for a processor makes no work long.
        if time.monotonic() > self._long_from and time.thread_time() - self._began > _SHORT_SECONDS:
            self.leave()
            self.enter(self._long)

    def enter(self, lane: _Lane) -> None:
        """Wait for a turn in this lane."""
        self._long_from = inf
        lane.enter(self._raise_if_over)
        self.lane = lane
        self._raise_if_over()
        if lane is not self._long:
            self._began, self._long_from = time.thread_time(), time.monotonic() + _SHORT_SECONDS

    def _raise_if_over(self) -> None:
        if self.is_given_up or time.monotonic() > self._ends_at:
            raise GivenUp

    def leave(self) -> None:
        """Let others into the lane."""
        if self.lane is not None:
            lane, self.lane = self.lane, None
            lane.leave()


class SearchThreads:
    """A pool of threads for searches."""

    def __init__(self, size: int = SIZE) -> None:
        self.size = size
        threads = size + LONG_AT_ONCE + _MAX_WAITING
        self._short = _Lane(size, threads)
        self._long = _Lane(LONG_AT_ONCE, _MAX_WAITING)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="search")
        self._given_up: set[Work] = set()
        self._lock = threading.Lock()

    @property
    def given_up(self) -> int:
        """How many threads still do work that nobody waits for."""
        return len(self._given_up)

    async def run(self, function: Callable[[Check], Result], seconds: float, *, is_long: bool = False) -> Result:
        """Run a function in a thread; raise `TimedOut` after these seconds or at the deadline.

        Work that is known to be long never holds up short work. Raises `Unavailable` if work that nobody waits for
        fills the lane.
        """
        lane = self._long if is_long else self._short
        with self._lock:
            if sum(work.lane is lane for work in self._given_up) >= lane.size:
                raise _busy()
        limit = remaining(seconds)
        work = Work(limit, self._long)
        future = self._pool.submit(_run, function, work, lane)
        try:
            async with TimeLimit(limit):
                return await asyncio.wrap_future(future)
        except GivenUp:
            raise timed_out() from None
        finally:
            self._leave(work, future)

    def close(self) -> None:
        """Let no work begin any more; what runs ends at its next check."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _leave(self, work: Work, future: "Future[Result]") -> None:
        work.is_given_up = True
        if future.done() or future.cancel():
            return
        with self._lock:
            self._given_up.add(work)
        future.add_done_callback(lambda _: self._end(work))

    def _end(self, work: Work) -> None:
        with self._lock:
            self._given_up.discard(work)


def _run(function: Callable[[Check], Result], work: Work, lane: _Lane) -> Result:
    try:
        work.enter(lane)
        return function(work.check)
    finally:
        work.leave()


def _busy() -> Unavailable:
    return Unavailable(
        "The service is busy with searches that took too long",
        action=f"Try again in {_RETRY_SECONDS} seconds, and ask for less (fewer words, results or facets)",
        details={"retry_after_s": _RETRY_SECONDS},
    )
