"""An event loop in its own thread, for the library's async functions: their connections belong to one loop."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

Result = TypeVar("Result")


class EventLoop:
    """Runs coroutines for other threads, without blocking them."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="event loop", daemon=True)
        self._thread.start()

    def start(self, coroutine: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Start a coroutine and return its future."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def close(self) -> None:
        """Stop the loop and its thread; coroutines that still run are abandoned."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()
