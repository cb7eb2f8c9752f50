"""A cache of responses in this process: for some seconds, within a bound of memory."""

import time
from collections.abc import Callable
from typing import Final, Protocol

from cachetools import TTLCache

_MAX_BYTES: Final = 32_000_000
_MAX_BODY_BYTES: Final = 4_000_000
_ENTRY_OVERHEAD: Final = 200


class Cache(Protocol):
    """Keeps bodies of responses by name."""

    async def get(self, name: str) -> bytes | None:
        """Return the body of this name if it is there and fresh."""

    async def put(self, name: str, body: bytes) -> None:
        """Keep a body, unless it is too large or the cache is off."""


class ResponseCache:
    """Keeps bodies in memory; the least recently used one is evicted first."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._bodies: TTLCache[str, bytes] = TTLCache(
            _MAX_BYTES, seconds, now, getsizeof=lambda body: len(body) + _ENTRY_OVERHEAD
        )

    async def get(self, name: str) -> bytes | None:
        return self._bodies.get(name)

    async def put(self, name: str, body: bytes) -> None:
        self._bodies.pop(name, None)
        if self._seconds > 0 and len(body) <= _MAX_BODY_BYTES:
            self._bodies[name] = body
