"""What one connection may cost, and how many connections there may be."""

import resource
from dataclasses import dataclass
from typing import Final

LINE_BYTES: Final = 65_536
"""Of the address in a request line; a query string may have 60,000 bytes."""
HEAD_BYTES: Final = 32_768
"""Of all headers of a request, and of whatever frames a body: sizes of chunks, their extensions, trailers."""
MAX_HEADERS: Final = 100
MAX_PIPELINED: Final = 16
"""Requests that wait behind the one that is being answered."""
MAX_IGNORED_BYTES: Final = 1_000_000
"""Of a body that is still being sent when its request has been answered."""
LOWEST_RATE: Final = 1_000
"""Bytes a second which a client must send of a body, or read of a response, on average of a period."""
EXTRA: Final = 16
"""Connections above the limit, which are answered about health alone."""
_MAX_OPEN_FILES: Final = 65_536
_MAX_RESERVE: Final = 256
_FEWEST: Final = 16


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits that differ from service to service."""

    connections: int
    seconds: float
    """How long a client may take to send its headers, and the period over which its rate is measured."""
    idle_seconds: float = 60.0
    """How long a connection is kept for another request."""

    @property
    def per_address(self) -> int:
        """How many one network address may have; the rest is for the others."""
        return self.connections * 3 // 4


def raise_file_limit() -> int:
    """Raise the limit of open files of this process as far as it may be, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _MAX_OPEN_FILES)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return most if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError):
        return soft
    return most


def connections_within(open_files: int, wanted: int) -> int:
    """Return how many connections there may be if that many files may be open; some are for the service itself."""
    reserve = min(_MAX_RESERVE, open_files // 2) + EXTRA
    return max(_FEWEST, min(wanted, open_files - reserve))
