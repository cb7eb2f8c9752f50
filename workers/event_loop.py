"""An event loop in a thread of its own: for the library's reading functions, whose connections belong to one loop."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class EventLoop:
    """Runs coroutines for other threads; they may do something else meanwhile."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="event loop", daemon=True)
        self._thread.start()

    def start(self, work: Coroutine[Any, Any, Answer]) -> Future[Answer]:
        """Begin some work, and return its answer to come."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """End the loop and its thread; whatever still runs is left undone."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()
