"""Which requests may be retried after a failure, and after which backoff."""

import random
import time
from collections.abc import Iterator
from typing import Any, Final

from opensearchpy import Transport
from opensearchpy.exceptions import ConnectionError as Unreachable
from opensearchpy.exceptions import ConnectionTimeout, TransportError
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError

RETRYABLE_STATUSES: Final = frozenset({429, 502, 503, 504})
READ_BACKOFF_SECONDS: Final = (0.05, 0.15, 0.5)
"""Backoff between attempts of a search: long enough for shards of a new or relocating index to start."""
_BACKOFF_SECONDS: Final = (0.1, 0.3, 0.9, 2.0)
_SAFE_METHODS: Final = frozenset({"GET", "HEAD"})


class FailoverTransport(Transport):
    """Fails over to the next node on a connection error, unless the first node may have executed a write."""

    def perform_request(self, method: str, url: str, params: Any = None, *args: Any, **options: Any) -> Any:
        for _ in range(len(self.hosts) - 1):
            try:
                # A copy, because the client removes the parameters that it consumes.
                return super().perform_request(method, url, dict(params or {}), *args, **options)
            except ConnectionTimeout:
                raise
            except Unreachable as error:
                if method not in _SAFE_METHODS and not _was_never_sent(error):
                    raise
        return super().perform_request(method, url, params, *args, **options)


def attempts() -> Iterator[bool]:
    """Yield once per attempt whether it is the last, with exponential backoff and jitter between attempts."""
    yield False
    for left, backoff in reversed(tuple(enumerate(reversed(_BACKOFF_SECONDS)))):
        time.sleep(backoff * random.uniform(0.5, 1))  # noqa: S311 -- jitter, not cryptography
        yield left == 0


def is_retryable(error: TransportError) -> bool:
    """Return whether a retry may succeed. Refused connections are excluded, because all nodes were tried already."""
    if isinstance(error, Unreachable):
        return not isinstance(error, ConnectionTimeout) and not _was_never_sent(error)
    return error.status_code in RETRYABLE_STATUSES


def _was_never_sent(error: Unreachable) -> bool:
    return isinstance(error.info, NewConnectionError | ConnectTimeoutError)
