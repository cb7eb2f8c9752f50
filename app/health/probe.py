"""A probe of one part: run once for all who ask at the same time, and not more often than it is worth."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from indexer.errors import PlatformError

TIMED_OUT: Final = "unavailable: no answer in time"


class Probe:
    """Asks about one part. Callers cost nothing while an answer is recent or on its way, however many they are."""

    def __init__(self, check: Callable[[], Awaitable[str]], *, timeout: float, keep: float = 0.0) -> None:
        """Take what returns the state, how many seconds an answer may take, and how many it is kept."""
        self._check = check
        self._timeout = timeout
        self._keep = keep
        self._running: asyncio.Task[str] | None = None
        self._began = 0.0
        self._known: tuple[float, str] | None = None

    async def state(self) -> str:
        """Return `ok` or what is wrong, at latest when the time is over."""
        if self._known is not None and time.monotonic() - self._known[0] < self._keep:
            return self._known[1]
        if self._running is None:
            self._began = time.monotonic()
            self._running = asyncio.create_task(self._run())
        running, left = self._running, self._began + self._timeout - time.monotonic()
        # Nobody who leaves ends the probe for the others.
        await asyncio.wait({running}, timeout=max(0.0, left))
        return running.result() if running.done() and not running.cancelled() else TIMED_OUT

    def close(self) -> None:
        """End a probe that is under way."""
        if self._running is not None:
            self._running.cancel()

    async def _run(self) -> str:
        try:
            state = await self._check()
            self._known = time.monotonic(), state
            return state
        finally:
            self._running = None


async def state_of(check: Callable[[], Awaitable[None]]) -> str:
    """Return `ok`, or why a check failed."""
    try:
        await check()
    except PlatformError as error:
        return f"unavailable: {error.message}"
    return "ok"
