"""One writer at a time for each index, across processes; a process that dies lets go of its lock."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from indexer.errors import Unavailable

_PATIENCE: Final = 60.0
_POLL: Final = 0.005


@contextmanager
def exclusive(path: Path, patience: float = _PATIENCE) -> Iterator[None]:
    """Hold the lock; `Unavailable` when others do not let go of it in time. The file stays, to be locked again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path, timeout=patience, poll_interval=_POLL, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise Unavailable("This index is being written to by others", action="Try again in a moment") from None
    try:
        yield
    finally:
        lock.release()
