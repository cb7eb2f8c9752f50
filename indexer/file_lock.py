"""A lock on a file, across threads and processes. The lock of a dead process is released."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from indexer.errors import Unavailable
from indexer.lock_holders import holder_of, note_holder

REQUEST_PATIENCE: Final = 8.0
"""Seconds that a write waits for all its locks together: less than a request may take, so that its caller is told."""
PROBE_PATIENCE: Final = 2.0
"""Seconds that the question waits whether writes are taken: less than readiness may take to answer."""
WORKER_PATIENCE: Final = 30.0
"""Nobody waits for a worker, and its chunk would have to start again."""
_POLL_SECONDS: Final = 0.005


@contextmanager
def exclusive_lock(path: Path, timeout: float, busy: str) -> Iterator[None]:
    """Hold the lock; raise `Unavailable` that says what is `busy`, and by whom, if it is not free in time.

    The lock file stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path, timeout=max(0.0, timeout), poll_interval=_POLL_SECONDS, mode=0o600, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise held_by(busy, path) from None
    try:
        note_holder(path)
        yield
    finally:
        lock.release()


def held_by(busy: str, *paths: Path) -> Unavailable:
    """Return the failure for a lock that somebody else holds on one of these files."""
    holder = holder_of(*paths)
    return Unavailable(
        f"{busy} by {holder or 'another process'}",
        action="Try again in a moment. If it lasts, see what that process does, and end it if it hangs; "
        "`trawl doctor` names it",
        command="trawl doctor",
    )
