"""The deadline of a request: all work for it, whatever part does it, ends by then.

It travels in the context, as cancellation does: a part that forgets it cannot give anybody more time or more rights.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar, Token
from math import inf
from types import TracebackType
from typing import Final

from indexer.errors import TimedOut

_AT: Final = ContextVar("deadline", default=inf)
"""When the work of this context must have ended, on the monotonic clock."""


def remaining(at_most: float) -> float:
    """Return how many seconds the work of this request may still take, and no more than these."""
    return max(0.0, min(at_most, _AT.get() - time.monotonic()))


def timed_out() -> TimedOut:
    """Return the failure of a search that took too long."""
    return TimedOut(
        "The search took too long",
        action="Ask for less (fewer words, results or facets), or raise TRAWL_SEARCH_TIMEOUT",
    )


class TimeLimit(AbstractAsyncContextManager[None]):
    """Ends the block with a failure after these seconds, or at the deadline around it if that is earlier.

    Not made by `asynccontextmanager`, because every call enters one.
    """

    def __init__(self, seconds: float, failure: Callable[[], TimedOut] = timed_out) -> None:
        self._seconds = seconds
        self._failure = failure
        self._before: Token[float] | None = None
        self._timeout: asyncio.Timeout | None = None

    async def __aenter__(self) -> None:
        seconds = remaining(self._seconds)
        self._timeout = asyncio.timeout(seconds)
        self._before = _AT.set(time.monotonic() + seconds)
        await self._timeout.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._before is not None and self._timeout is not None  # noqa: S101, PT018 - the block was entered
        _AT.reset(self._before)
        try:
            await self._timeout.__aexit__(kind, error, traceback)
        except TimeoutError:
            raise self._failure() from None
