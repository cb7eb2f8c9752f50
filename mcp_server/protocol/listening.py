"""Which callers listen while their call goes on: those that ask for progress of a call that waits.

Some clients ask for progress with every call, so that alone is no reason for a stream of events. It is looked for in
the bytes: whoever is taken for a listener by mistake gets the same answer in a stream, as every client must accept.
"""

from typing import Final

from starlette.types import Message, Receive, Scope

_SIGNS: Final = (b'"progressToken"', b'"wait_seconds"')
_LONGEST: Final = 4_096
"""Bytes of a body that is looked at: a call that waits has few arguments."""


async def wants_progress(scope: Scope, receive: Receive) -> tuple[bool, Receive]:
    """Say whether this request is such a call, and return how to receive it from its beginning."""
    if scope["type"] != "http" or not _is_short(scope) or not _accepts_events(scope):
        return False, receive
    first = await receive()
    body = first.get("body", b"")
    is_listening = all(sign in body for sign in _SIGNS)
    waiting = [first]

    async def receive_all() -> Message:
        return waiting.pop() if waiting else await receive()

    return is_listening, receive_all


def _is_short(scope: Scope) -> bool:
    length = _header(scope, b"content-length")
    return length.isdigit() and int(length) <= _LONGEST


def _accepts_events(scope: Scope) -> bool:
    return b"text/event-stream" in _header(scope, b"accept")


def _header(scope: Scope, name: bytes) -> bytes:
    return next((value for key, value in scope["headers"] if key == name), b"")
