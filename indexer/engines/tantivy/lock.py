"""A file lock that admits one writer per index across processes. The lock of a dead process is released."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from indexer.errors import Unavailable

_TIMEOUT_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.005


@contextmanager
def exclusive_lock(path: Path, timeout: float = _TIMEOUT_SECONDS) -> Iterator[None]:
    """Hold the lock; raise `Unavailable` if it is not free within the timeout. The lock file stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path, timeout=timeout, poll_interval=_POLL_SECONDS, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise Unavailable("This index is being written to by others", action="Try again in a moment") from None
    try:
        yield
    finally:
        lock.release()
