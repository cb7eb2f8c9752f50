"""Leases: one worker at a time works on a record, and a worker that lost its lease is fenced off.

The lease is stored in the record of the work itself (a job, a chunk, the sweep), and every write is a compare-and-set.
`acquire` raises the fencing token and counts the attempt before the work starts. `HeldLease` renews the lease in a
thread and checks the token with every change.

- A worker dies: its lease is not renewed. It expires after `TRAWL_WORKER_LEASE_SECONDS`, and another worker acquires
  it. The attempt stays counted.
- A worker hangs or is cut off, and comes back after its lease expired: its token is too low, so its next change raises
  `LeaseLost` and it stops.
- A message is delivered twice: the second worker finds a live lease, `acquire` returns None, and it does nothing.
- Redis dies or loses its data: nothing happens here, because leases are not in Redis.
- The work cannot be done at present (the engine is down), or the worker is told to stop: the lease is released and the
  attempt is not counted. Work in a thread is told by an event, and `WorkerStopping` is raised at its next change.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from indexer.errors import PlatformError
from indexer.records import Store, Stored

_log = logging.getLogger(__name__)
_RENEWALS: Final = 4
"""Renewals per lease duration: a lease survives three failed renewals."""
_CLOCK_DIFFERENCE_SECONDS: Final = 60.0
"""How far the clocks of machines may be apart. A lease from later than that was taken before the clock was set back."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The owner, its fencing token and when the lease expires (seconds since 1970); token 0 was never acquired."""

    owner: str = ""
    token: int = 0
    until: float = 0.0
    renewed: float = 0.0

    def is_live(self) -> bool:
        return self.renewed - _CLOCK_DIFFERENCE_SECONDS < time.time() < self.until

    def renew(self, seconds: float) -> "Lease":
        """Return it with so many seconds to go."""
        now = time.time()
        return replace(self, until=now + seconds, renewed=now)


class Leased(Protocol):
    """A record that carries a lease."""

    @property
    def lease(self) -> Lease: ...

    @property
    def attempts(self) -> int:
        """How often the work was started; raised before the work, so that a worker's death counts."""


Work = TypeVar("Work", bound=Leased)


class LeaseLost(Exception):
    """Another worker holds the lease, or the record is gone. The work stops without an error."""


class WorkerStopping(SystemExit):
    """The worker is told to stop. The work ends here, and another worker does it again."""


class HeldLease(Generic[Work]):
    """An acquired lease. As a context manager it renews itself, and releases the lease at the end."""

    def __init__(
        self, store: Store[Work], record: Stored[Work], seconds: float, stopping: threading.Event | None = None
    ) -> None:
        self._store = store
        self._record = record
        self._seconds = seconds
        self._stopping = stopping or threading.Event()
        self._token = record.value.lease.token
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._lost = threading.Event()
        self._renewer = threading.Thread(target=self._renew_until_ended, name="lease", daemon=True)

    @property
    def value(self) -> Work:
        """The record as this worker last saw it."""
        return self._record.value

    @property
    def token(self) -> int:
        return self._token

    def check(self) -> None:
        """Raise `LeaseLost` if a renewal found the lease lost, `WorkerStopping` if this worker is to stop."""
        if self._stopping.is_set():
            raise WorkerStopping
        if self._lost.is_set():
            raise LeaseLost

    def change(self, update: Callable[[Work], Work]) -> Work:
        """Change the record by compare-and-set; raise `LeaseLost` if the lease is lost."""
        if self._stopping.is_set():
            raise WorkerStopping
        return self._change(update)

    def _change(self, update: Callable[[Work], Work]) -> Work:
        with self._lock:
            while True:
                if self._record.value.lease.token != self._token:
                    self._lost.set()
                    raise LeaseLost
                saved = self._store.replace(self._record, update(self._record.value))
                if saved is not None:
                    self._record = saved
                    return saved.value
                latest = self._store.get(self._record.key)
                if latest is None:
                    self._lost.set()
                    raise LeaseLost
                self._record = latest

    def remove(self) -> None:
        """Remove the record, unless it was changed since."""
        with self._lock:
            self._store.remove(self._record)

    def release_uncounted(self) -> None:
        """Release the lease without counting this attempt, because the work is not at fault."""
        self._release(attempts=-1)

    def __enter__(self) -> Self:
        self._renewer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._renewer.join()
        # A worker that is told to stop (SystemExit, KeyboardInterrupt) does not count as a failed attempt.
        self._release(attempts=-1 if kind is not None and not issubclass(kind, Exception) else 0)

    def _release(self, attempts: int) -> None:
        if self._lost.is_set() or not self._record.value.lease.is_live():
            return
        try:
            self._change(lambda work: _released(work, attempts))
        except LeaseLost:
            return
        except PlatformError:
            _log.warning("A lease could not be released; it expires by itself", exc_info=True)

    def _renew_until_ended(self) -> None:
        while not self._ended.wait(self._seconds / _RENEWALS):
            try:
                self._change(lambda work: _replace_fields(work, lease=work.lease.renew(self._seconds)))
            except LeaseLost:
                return
            except PlatformError:
                _log.warning("A lease could not be renewed", exc_info=True)


def acquire(
    store: Store[Work],
    key: str,
    owner: str,
    seconds: float,
    is_wanted: Callable[[Work], bool],
    *,
    stopping: threading.Event | None = None,
) -> HeldLease[Work] | None:
    """Acquire the lease and count the attempt; None if the record is gone, not wanted, or has a live lease."""
    while (record := store.get(key)) is not None:
        work = record.value
        if work.lease.is_live() or not is_wanted(work):
            return None
        lease = Lease(owner, work.lease.token + 1).renew(seconds)
        saved = store.replace(record, _replace_fields(work, lease=lease, attempts=work.attempts + 1))
        if saved is not None:
            return HeldLease(store, saved, seconds, stopping)
    return None


def _released(work: Work, attempts: int) -> Work:
    return _replace_fields(work, lease=replace(work.lease, until=0.0), attempts=work.attempts + attempts)


def _replace_fields(work: Work, **fields: Any) -> Work:
    changed: Work = replace(work, **fields)  # type: ignore[type-var] # works on any dataclass with these two fields
    return changed
