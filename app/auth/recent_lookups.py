"""Looks up rights that can be withdrawn at any time, and remembers each answer for less than a second."""

import time
from collections.abc import Callable, Coroutine
from typing import Any, Final, Generic, TypeVar

from cachetools import LRUCache

from indexer.single_flight import SingleFlight

R = TypeVar("R")
_MAX_AGE_SECONDS: Final = 0.6
"""What is withdrawn is refused in every process within a second, also without Redis and on a busy machine."""
_MAX_REMEMBERED: Final = 10_000


class RecentLookups(Generic[R]):
    """Answers by key. Concurrent lookups of one key are one."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._answers: LRUCache[str, tuple[R, float]] = LRUCache(_MAX_REMEMBERED)
        self._lookups: SingleFlight[R] = SingleFlight()

    async def get(self, key: str, look_up: Callable[[], Coroutine[Any, Any, R]]) -> R:
        """Return the answer of a lookup that began less than a second ago."""
        known = self._answers.get(key)
        if known is not None and self._now() - known[1] < _MAX_AGE_SECONDS:
            return known[0]
        return await self._lookups.join(key, lambda: self._remember(key, look_up))

    async def _remember(self, key: str, look_up: Callable[[], Coroutine[Any, Any, R]]) -> R:
        # The store may change while it is read, so an answer is as old as its question.
        began = self._now()
        answer = await look_up()
        self._answers[key] = (answer, began)
        return answer
