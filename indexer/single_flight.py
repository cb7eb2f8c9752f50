"""Equal questions at the same time are asked once."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

R = TypeVar("R")


@dataclass(slots=True)
class _Flight(Generic[R]):
    task: "asyncio.Task[R]"
    waiters: int = 0


class SingleFlight(Generic[R]):
    """Calls that are under way, by name. Who goes away does not take the others' answer with them."""

    def __init__(self) -> None:
        self._flights: dict[str, _Flight[R]] = {}

    def is_under_way(self, name: str) -> bool:
        """Say whether a call of this name would join another."""
        return name in self._flights

    async def join(self, name: str, start: Callable[[], Coroutine[Any, Any, R]]) -> R:
        """Wait for the call of this name, starting it if there is none; it ends when nobody waits for it any more."""
        flight = self._flights.get(name)
        if flight is None:
            flight = _Flight(asyncio.create_task(start()))
            self._flights[name] = flight
            flight.task.add_done_callback(lambda task: self._landed(name, task))
        flight.waiters += 1
        try:
            return await _outcome(flight.task)
        finally:
            flight.waiters -= 1
            if not flight.waiters and not flight.task.done():
                flight.task.cancel()
                self._forget(name, flight.task)

    def _landed(self, name: str, task: "asyncio.Task[R]") -> None:
        if not task.cancelled():
            task.exception()  # seen here, so that nobody is told of it where all waiters have left
        self._forget(name, task)

    def _forget(self, name: str, task: "asyncio.Task[R]") -> None:
        if name in self._flights and self._flights[name].task is task:
            del self._flights[name]


async def _outcome(task: Awaitable[R]) -> R:
    try:
        return await asyncio.shield(task)
    except Exception as error:  # noqa: BLE001 - raised again at once
        # One exception reaches all waiters: without this its traceback would grow with each of them.
        raise error.with_traceback(None) from None
