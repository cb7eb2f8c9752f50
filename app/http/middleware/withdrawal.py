"""Ends a request that is still running when the right by which it came in is withdrawn: a long call, or a stream."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from indexer.errors import Authentication, Authorization, PlatformError

_INTERVAL_SECONDS: Final = 0.15
"""With the age of a remembered lookup, a right that is withdrawn ends its requests within a second."""


async def run_while_allowed(
    work: Callable[[], Awaitable[None]], check: Callable[[], Awaitable[None]]
) -> PlatformError | None:
    """Run the work of a request; as soon as `check` raises that it may not go on, cancel it and return that failure.

    Most requests end before the first check, and cost no more than a timer.
    """
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - every coroutine here runs in a task
    watch = _Watch(task, check)
    try:
        await work()
    except asyncio.CancelledError:
        # A cancellation by anybody else, for example at shutdown, goes on.
        if watch.refusal is None or task.uncancel() > 0:
            raise
    else:
        if watch.refusal is not None:
            task.uncancel()
    finally:
        watch.end()
    return watch.refusal


class _Watch:
    """Checks a running request again and again."""

    def __init__(self, work: "asyncio.Task[object]", check: Callable[[], Awaitable[None]]) -> None:
        self.refusal: PlatformError | None = None
        self._work = work
        self._check = check
        self._watcher: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(_INTERVAL_SECONDS, self._start)

    def end(self) -> None:
        """Stop checking."""
        self._timer.cancel()
        if self._watcher is not None:
            self._watcher.cancel()

    def _start(self) -> None:
        self._watcher = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        while True:
            try:
                await self._check()
            except (Authentication, Authorization) as error:
                self.refusal = error
                self._work.cancel()
                return
            except PlatformError:
                pass  # The records cannot be read now; that withdraws nothing.
            await asyncio.sleep(_INTERVAL_SECONDS)
