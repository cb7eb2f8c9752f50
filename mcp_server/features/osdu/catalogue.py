"""What a partition is known to hold: kinds and fields, kept and renewed in the background."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from fnmatch import fnmatchcase
from typing import Final, Generic, TypeVar

from indexer.errors import PlatformError, closest

V = TypeVar("V")

FRESH_SECONDS: Final = 300.0
_MOST: Final = 200


class Kept(Generic[V]):
    """Values by name. An old one is still given while a new one is fetched, so that nobody waits for it."""

    def __init__(self, fetch: Callable[[str], Awaitable[V]], now: Callable[[], float] = time.monotonic) -> None:
        self._fetch = fetch
        self._now = now
        self._values: dict[str, tuple[float, V]] = {}
        self._renewals: dict[str, asyncio.Task[None]] = {}

    async def get(self, name: str) -> V | None:
        """Return what is known, fetching it the first time; None where it cannot be had now."""
        if name not in self._values:
            await self._renewed(name)
        elif self._values[name][0] + FRESH_SECONDS < self._now() and name not in self._renewals:
            self._renewals[name] = asyncio.create_task(self._renewed(name))
        entry = self._values.get(name)
        return None if entry is None else entry[1]

    def put(self, name: str, value: V) -> None:
        """Keep what was learnt otherwise."""
        self._values.pop(name, None)
        while len(self._values) >= _MOST:
            del self._values[next(iter(self._values))]
        self._values[name] = (self._now(), value)

    async def aclose(self) -> None:
        """Stop what is being fetched."""
        running = list(self._renewals.values())
        for renewal in running:
            renewal.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _renewed(self, name: str) -> None:
        try:
            self.put(name, await self._fetch(name))
        except PlatformError:
            return  # what was known stays; without it there is just no hint
        finally:
            self._renewals.pop(name, None)


def closest_kinds(asked: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return existing kinds near to the ones asked for, where none of those exists."""
    kinds = sorted(known)
    patterns = [part for one in asked for part in one.split(",")]
    if not kinds or any(fnmatchcase(kind, pattern) for pattern in patterns for kind in kinds):
        return []
    near = [kind for pattern in patterns for kind in closest(pattern, kinds)]
    return list(dict.fromkeys(near))[:5]
