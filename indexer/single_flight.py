"""Single flight: concurrent calls with the same name share one execution."""

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
    """Running calls by name. A waiter that is cancelled does not cancel the call for the others."""

    def __init__(self) -> None:
        self._flights: dict[str, _Flight[R]] = {}

    def is_under_way(self, name: str) -> bool:
        """Return whether a call with this name is running, so that `join` would share it."""
        return name in self._flights

    async def join(self, name: str, start: Callable[[], Coroutine[Any, Any, R]]) -> R:
        """Wait for the call with this name, or start it. The call is cancelled when its last waiter is cancelled."""
        flight = self._flights.get(name)
        if flight is None:
            flight = _Flight(asyncio.create_task(start()))
            self._flights[name] = flight
            flight.task.add_done_callback(lambda task: self._on_done(name, task))
        flight.waiters += 1
        try:
            return await _result_of(flight.task)
        finally:
            flight.waiters -= 1
            if not flight.waiters and not flight.task.done():
                flight.task.cancel()
                self._forget(name, flight.task)

    def _on_done(self, name: str, task: "asyncio.Task[R]") -> None:
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not log it if all waiters have left
        self._forget(name, task)

    def _forget(self, name: str, task: "asyncio.Task[R]") -> None:
        if name in self._flights and self._flights[name].task is task:
            del self._flights[name]


async def _result_of(task: Awaitable[R]) -> R:
    try:
        return await asyncio.shield(task)
    except Exception as error:  # noqa: BLE001 - raised again at once
        # All waiters share one exception object, and each raise would add to its traceback.
        raise error.with_traceback(None) from None
