"""Which requests get a stream of events: calls that wait and ask for progress.

Some clients ask for progress with every call, so a progress token alone is no reason for a stream. The request's bytes
are searched without parsing them: a false match gets the same response in a stream, which every client must accept.
"""

from typing import Final

from starlette.types import Scope

from mcp_server.protocol.request import header

_MARKERS: Final = (b'"progressToken"', b'"wait_seconds"')


def wants_progress(scope: Scope, body: bytes) -> bool:
    """Return whether the request waits, asks for progress, and accepts events."""
    return all(marker in body for marker in _MARKERS) and b"text/event-stream" in header(scope, b"accept")
