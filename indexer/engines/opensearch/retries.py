"""What may be sent again after a failure, and when."""

import random
import time
from collections.abc import Iterator
from typing import Any, Final

from opensearchpy import Transport
from opensearchpy.exceptions import ConnectionError as Unreachable
from opensearchpy.exceptions import ConnectionTimeout, TransportError
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError

BUSY: Final = frozenset({429, 502, 503, 504})
"""Statuses that may be gone in a moment."""
READ_PAUSES: Final = (0.05, 0.15, 0.5)
"""Seconds before a search is sent again: shards of an index that is being made or moved start in that time."""
_PAUSES: Final = (0.1, 0.3, 0.9, 2.0)
_READING: Final = frozenset({"GET", "HEAD"})


class CarefulTransport(Transport):
    """Asks the next node where one cannot be reached, unless the first may have done what was asked."""

    def perform_request(self, method: str, url: str, params: Any = None, *args: Any, **options: Any) -> Any:
        for _ in range(len(self.hosts) - 1):
            try:
                # A copy, since the client takes out what it uses itself.
                return super().perform_request(method, url, dict(params or {}), *args, **options)
            except ConnectionTimeout:
                raise
            except Unreachable as error:
                if method not in _READING and not _never_sent(error):
                    raise
        return super().perform_request(method, url, params, *args, **options)


def attempts() -> Iterator[bool]:
    """Yield once for each attempt, after a pause that grows, whether it is the last."""
    yield False
    for left, pause in reversed(tuple(enumerate(reversed(_PAUSES)))):
        time.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 -- spreads callers, hides nothing
        yield left == 0


def worth_repeating(error: TransportError) -> bool:
    """Tell whether the same request may succeed soon; nodes that refuse connections have all been asked already."""
    if isinstance(error, Unreachable):
        return not isinstance(error, ConnectionTimeout) and not _never_sent(error)
    return error.status_code in BUSY


def _never_sent(error: Unreachable) -> bool:
    return isinstance(error.info, NewConnectionError | ConnectTimeoutError)
