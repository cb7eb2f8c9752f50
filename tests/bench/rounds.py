"""Contenders that take turns: whatever slows the machine down slows them all, and their ratios stay."""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from statistics import median

Ask = Callable[[int], Awaitable[object]]
"""Makes one search, given the number of the query."""


@dataclass(frozen=True)
class Timed:
    """One contender's turn: the median latency in seconds, and searches per second."""

    latency: float
    rate: float

    @classmethod
    def of(cls, latencies: Sequence[float], seconds: float) -> "Timed":
        return cls(median(latencies), len(latencies) / seconds)


Contender = Callable[[int, int], Awaitable[Timed]]
"""Lets so many callers make so many searches together."""


def in_process(ask: Ask, queries: int) -> Contender:
    """Make a contender whose callers are tasks of this event loop."""

    async def turn(callers: int, searches: int) -> Timed:
        numbers = islice(cycle(range(queries)), searches)
        latencies: list[float] = []
        started = time.perf_counter()
        await asyncio.gather(*(_caller(ask, numbers, latencies) for _ in range(callers)))
        return Timed.of(latencies, time.perf_counter() - started)

    return turn


async def _caller(ask: Ask, numbers: Iterator[int], latencies: list[float]) -> None:
    for number in numbers:
        started = time.perf_counter()
        await ask(number)
        latencies.append(time.perf_counter() - started)


class Measured:
    """What all contenders did in each round with one number of callers."""

    def __init__(self, turns: Mapping[str, Sequence[Timed]]) -> None:
        self._turns = turns

    def latencies(self, name: str) -> list[float]:
        return [turn.latency for turn in self._turns[name]]

    def rates(self, name: str) -> list[float]:
        return [turn.rate for turn in self._turns[name]]

    def beside(self, *names: str) -> str:
        """Say the absolute numbers of these, as medians of the rounds."""
        return ", ".join(f"{name} {self._said(name)}" for name in names)

    def _said(self, name: str) -> str:
        return f"{median(self.latencies(name)) * 1000:.1f} ms {median(self.rates(name)):.0f}/s"


async def take_turns(contenders: Mapping[str, Contender], callers: int, searches: int, rounds: int) -> Measured:
    """Let all warm up, then measure them in rounds, each of which starts with another one."""
    turns: dict[str, list[Timed]] = {name: [] for name in contenders}
    names = list(contenders)
    for turn in contenders.values():
        await turn(callers, searches)
    # as the service does: the documents that this process holds are no garbage to look through in anybody's turn
    gc.collect()
    gc.freeze()
    for number in range(rounds):
        first = number % len(names)
        for name in (*names[first:], *names[:first]):
            turns[name].append(await contenders[name](callers, searches))
    return Measured(turns)
