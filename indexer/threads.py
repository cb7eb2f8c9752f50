"""Threads for the work of searches, which ends soon after its caller has given up.

Python cannot stop a thread, so long work calls `check` again and again. Work that nobody waits for holds its thread
until its next check. If such work holds all threads, new work is refused at once: it would wait for nothing.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar

from indexer.deadline import TimeLimit, remaining, timed_out
from indexer.errors import Unavailable

SIZE: Final = (os.cpu_count() or 1) + 4
_RETRY_SECONDS: Final = 2

Result = TypeVar("Result")
Check = Callable[[], None]
"""Raises if nobody waits for the work any more."""


class GivenUp(Exception):
    """Nobody waits for this work any more."""


class Work:
    """A piece of work, for as long as somebody waits for it."""

    __slots__ = ("_ends_at", "is_given_up")

    def __init__(self, seconds: float) -> None:
        self._ends_at = time.monotonic() + seconds
        self.is_given_up = False

    def check(self) -> None:
        """Raise `GivenUp` if the caller is gone or the time is over."""
        if self.is_given_up or time.monotonic() > self._ends_at:
            raise GivenUp


class SearchThreads:
    """A pool of threads for searches."""

    def __init__(self, size: int = SIZE) -> None:
        self.size = size
        self._pool = ThreadPoolExecutor(size, thread_name_prefix="search")
        self._given_up = 0
        self._lock = threading.Lock()

    @property
    def given_up(self) -> int:
        """How many threads still do work that nobody waits for."""
        return self._given_up

    async def run(self, function: Callable[[Check], Result], seconds: float) -> Result:
        """Run a function in a thread; raise `TimedOut` after these seconds or at the deadline.

        Raises `Unavailable` if all threads do work that nobody waits for.
        """
        if self._given_up >= self.size:
            raise Unavailable(
                "The service is busy with searches that took too long",
                action=f"Try again in {_RETRY_SECONDS} seconds, and ask for less (fewer words, results or facets)",
                details={"retry_after_s": _RETRY_SECONDS},
            )
        limit = remaining(seconds)
        work = Work(limit)
        future = self._pool.submit(function, work.check)
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
            self._given_up += 1
        future.add_done_callback(self._end)

    def _end(self, _: "Future[Result]") -> None:
        with self._lock:
            self._given_up -= 1
