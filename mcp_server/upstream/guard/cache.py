"""Answers that are kept for some seconds, in this process, within a bound of memory."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Protocol

_MOST_BYTES: Final = 32_000_000
_LARGEST: Final = 4_000_000
_OVERHEAD: Final = 200


class Cache(Protocol):
    """Keeps bodies by name."""

    async def get(self, name: str) -> bytes | None:
        """Return what is kept under this name and still fresh."""

    async def put(self, name: str, body: bytes) -> None:
        """Keep a body, unless it is too large or nothing is to be kept."""


class AnswerCache:
    """Keeps them in memory; the one that was used longest ago goes first."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._now = now
        self._kept: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        self._bytes = 0

    async def get(self, name: str) -> bytes | None:
        entry = self._kept.get(name)
        if entry is None:
            return None
        if entry[0] <= self._now():
            self._drop(name)
            return None
        self._kept.move_to_end(name)
        return entry[1]

    async def put(self, name: str, body: bytes) -> None:
        self._drop(name)
        if self._seconds <= 0 or len(body) > _LARGEST:
            return
        self._kept[name] = (self._now() + self._seconds, body)
        self._bytes += len(body) + _OVERHEAD
        while self._bytes > _MOST_BYTES:
            self._drop(next(iter(self._kept)))

    def _drop(self, name: str) -> None:
        entry = self._kept.pop(name, None)
        if entry is not None:
            self._bytes -= len(entry[1]) + _OVERHEAD
