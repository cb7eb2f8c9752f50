"""Runs a blocking call in a thread of its own: it needs no place in a pool, and does not delay the end of a process."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

R = TypeVar("R")


async def in_own_thread(call: Callable[[], R], name: str) -> R:
    """Return what the call returns. A caller that is cancelled leaves the thread running to its end."""
    future: Future[R] = Future()
    # From here on a cancelled caller cannot cancel it, so that its result is always accepted.
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:  # noqa: BLE001 - raised again in the caller
            future.set_exception(error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return await asyncio.wrap_future(future)
