"""An engine whose every call is a step at which a test may stop, kill or switch whoever makes it."""

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from indexer.engines.port import Writer
from indexer.engines.record_port import Records
from indexer.index.registry import Registry
from indexer.library import Library

Point = Callable[[], None]


class Killed(BaseException):
    """The process is gone at this point; nothing that handles failures may handle this."""


class _Stepped:
    """Calls `point` before each call of the real one, and before each batch of a scan."""

    def __init__(self, inner: object, point: Point) -> None:
        self._inner = inner
        self._point = point

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)

        def stepped(*given: Any, **options: Any) -> Any:
            self._point()
            answer = method(*given, **options)
            return self._batches(answer) if name == "scan" else answer

        return stepped

    def _batches(self, scanned: Iterator[list[Any]]) -> Iterator[list[Any]]:
        first = next(scanned, None)  # a view is frozen when it is asked for, not at the first look
        while first is not None:
            self._point()
            yield first
            first = next(scanned, None)


def stepped(library: Library, point: Point) -> Library:
    """Return the same library, as another process would have it, with a step before each call of its engine."""
    records = cast("Records", _Stepped(library.engine.records, point))
    writer = cast("Writer", _Stepped(library.engine.writer, point))
    registry = Registry(records, library.registry._definitions, max_indices=200)
    return replace(library, engine=replace(library.engine, records=records, writer=writer), registry=registry)


def dying_at(call: int) -> Point:
    """Kill at the so-manieth call of the engine, counted from 0."""
    left = iter(range(call))

    def point() -> None:
        if next(left, None) is None:
            raise Killed

    return point


class Turns:
    """Lets threads run one at a time, from point to point, in an order that the seed alone decides."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._gates: dict[int, threading.Semaphore] = {}
        self._back = threading.Semaphore(0)
        self._failures: list[BaseException] = []

    def point(self) -> None:
        gate = self._gates.get(threading.get_ident())
        if gate is not None:
            self._back.release()
            gate.acquire()

    def run(self, works: Sequence[Callable[[], None]]) -> None:
        """Run all to their ends; a failure of any is raised when all have ended."""
        waiting = [threading.Semaphore(0) for _ in works]
        finished = [False] * len(works)

        def follow(place: int) -> None:
            self._gates[threading.get_ident()] = waiting[place]
            waiting[place].acquire()
            try:
                works[place]()
            except BaseException as failure:  # noqa: BLE001 -- raised again in the test's own thread
                self._failures.append(failure)
            finished[place] = True
            self._back.release()

        threads = [threading.Thread(target=follow, args=(place,)) for place in range(len(works))]
        for thread in threads:
            thread.start()
        while not all(finished):
            chosen = self._random.choice([place for place, done in enumerate(finished) if not done])
            waiting[chosen].release()
            self._back.acquire()
        for thread in threads:
            thread.join()
        if self._failures:
            raise self._failures[0]
