"""Progress reports to the caller while its call runs, where the transport can send them."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

ProgressCallback = Callable[[float, float, str], Awaitable[None]]
"""Takes the amount done, the total and a message."""

_CALLBACK: ContextVar[ProgressCallback | None] = ContextVar("progress_callback", default=None)


@contextmanager
def progress_to(callback: ProgressCallback) -> Iterator[None]:
    """Send the progress that is reported inside this context to a callback."""
    token = _CALLBACK.set(callback)
    try:
        yield
    finally:
        _CALLBACK.reset(token)


async def report_progress(done: float, total: float, message: str) -> None:
    """Report progress if the transport can send it; `done` must increase with each report."""
    callback = _CALLBACK.get()
    if callback is not None:
        await callback(done, total, message)
