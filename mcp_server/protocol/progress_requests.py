"""Which requests get a stream of events: calls that wait and ask for progress.

Some clients ask for progress with every call, so a progress token alone is no reason for a stream. The request's bytes
are searched without parsing them: a false match gets the same response in a stream, which every client must accept.
"""

from typing import Final

from starlette.types import Message, Receive, Scope

_MARKERS: Final = (b'"progressToken"', b'"wait_seconds"')
_MAX_BODY_BYTES: Final = 4_096
"""Longer bodies are not searched: a call that waits has few arguments."""


async def wants_progress(scope: Scope, receive: Receive) -> tuple[bool, Receive]:
    """Return whether the request waits and asks for progress, and a `receive` that starts at its beginning."""
    if scope["type"] != "http" or not _is_short(scope) or not _accepts_events(scope):
        return False, receive
    first = await receive()
    body = first.get("body", b"")
    has_markers = all(marker in body for marker in _MARKERS)
    buffered = [first]

    async def receive_all() -> Message:
        return buffered.pop() if buffered else await receive()

    return has_markers, receive_all


def _is_short(scope: Scope) -> bool:
    length = _header(scope, b"content-length")
    return length.isdigit() and int(length) <= _MAX_BODY_BYTES


def _accepts_events(scope: Scope) -> bool:
    return b"text/event-stream" in _header(scope, b"accept")


def _header(scope: Scope, name: bytes) -> bytes:
    return next((value for key, value in scope["headers"] if key == name), b"")
