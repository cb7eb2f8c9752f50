"""The memory of each kind of process over time."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from tests.faults.processes import resident_bytes
from tests.faults.soak.stage import Stage

_LOOK_SECONDS: Final = 2.0
MEGABYTE: Final = 1_000_000
_FLAT_SHARE: Final = 1.2
_FLAT_BYTES: Final = 20 * MEGABYTE
"""More than the first third by this share or amount is growth."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The usual bytes of the largest process of a kind, in the first and the last third of the time."""

    first: float
    last: float
    most: float

    @property
    def is_flat(self) -> bool:
        return self.last <= max(self.first * _FLAT_SHARE, self.first + _FLAT_BYTES)


class MemoryWatch:
    """Looks now and then, until it is cancelled."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._begun = time.monotonic()
        self._seen: dict[str, list[tuple[float, int]]] = defaultdict(list)

    async def run(self) -> None:
        while True:
            await asyncio.to_thread(self._look)
            await asyncio.sleep(_LOOK_SECONDS)

    def _look(self) -> None:
        seconds = time.monotonic() - self._begun
        for kind, pids in self._stage.processes().items():
            if most := max(map(resident_bytes, pids)):
                self._seen[kind].append((seconds, most))

    def result(self) -> dict[str, Memory]:
        """Return what each kind that was seen took."""
        last = max((seen[-1][0] for seen in self._seen.values()), default=0.0)
        return {kind: _memory(seen, last) for kind, seen in self._seen.items()}


def _memory(seen: Sequence[tuple[float, int]], end: float) -> Memory:
    first = [most for seconds, most in seen if seconds <= end / 3]
    last = [most for seconds, most in seen if seconds >= end * 2 / 3]
    every = [most for _, most in seen]
    return Memory(median(first or every), median(last or every), max(every))
