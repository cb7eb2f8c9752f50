"""Telling a caller how far its call is, where the door that it came in by can tell it anything before the answer."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Tell = Callable[[float, float, str], Awaitable[None]]
"""Takes how much is done, of how much, and a line about it."""

_TELL: ContextVar[Tell | None] = ContextVar("tell", default=None)


@contextmanager
def telling(tell: Tell) -> Iterator[None]:
    """Let what is told inside go to this caller."""
    token = _TELL.set(tell)
    try:
        yield
    finally:
        _TELL.reset(token)


async def tell_progress(done: float, total: float, message: str) -> None:
    """Tell the caller, if anybody listens; each time more must be done than the last time."""
    tell = _TELL.get()
    if tell is not None:
        await tell(done, total, message)
