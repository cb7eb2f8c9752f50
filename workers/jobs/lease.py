"""Leases: one worker at a time does a piece of work, and one that was silent too long is fenced off.

A lease stands in the record of the work itself. Its token rises with each taking, and every change through `Held`
checks it: a worker that lost its lease without noticing can change nothing any more.
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
"""A lease is renewed so many times in its life: three renewals may fail."""


@dataclass(frozen=True, slots=True)
class Lease:
    """Who works, until when (seconds since 1970); token 0 means that nobody ever did."""

    owner: str = ""
    token: int = 0
    until: float = 0.0

    def lives(self) -> bool:
        return self.until > time.time()


class Leased(Protocol):
    """A record of work."""

    @property
    def lease(self) -> Lease: ...

    @property
    def attempts(self) -> int:
        """How often somebody began it; raised before the work, so that a worker's death counts."""


Work = TypeVar("Work", bound=Leased)


class LeaseLost(Exception):
    """Somebody else has the work now, or it is gone: whoever sees this stops, and says nothing."""


class Held(Generic[Work]):
    """A taken lease. As a context manager it renews itself, and frees the work at the end whatever happens."""

    def __init__(self, store: Store[Work], known: Stored[Work], seconds: float) -> None:
        self._store = store
        self._known = known
        self._seconds = seconds
        self._token = known.value.lease.token
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._lost = threading.Event()
        self._renewing = threading.Thread(target=self._renew_until_over, name="lease", daemon=True)

    @property
    def value(self) -> Work:
        """The record as last seen here."""
        return self._known.value

    @property
    def token(self) -> int:
        return self._token

    def check(self) -> None:
        """Raise `LeaseLost` if a renewal has noticed it."""
        if self._lost.is_set():
            raise LeaseLost

    def change(self, changed: Callable[[Work], Work]) -> Work:
        """Change the record; `LeaseLost` if the lease is somebody else's by now."""
        with self._lock:
            while True:
                if self._known.value.lease.token != self._token:
                    self._lost.set()
                    raise LeaseLost
                saved = self._store.replace(self._known, changed(self._known.value))
                if saved is not None:
                    self._known = saved
                    return saved.value
                found = self._store.get(self._known.key)
                if found is None:
                    self._lost.set()
                    raise LeaseLost
                self._known = found

    def remove(self) -> None:
        """Remove the record, if nobody has changed it since."""
        with self._lock:
            self._store.remove(self._known)

    def give_back(self) -> None:
        """Free the work and take this attempt back: it is not the work's fault that it cannot be done now."""
        self._free(attempts=-1)

    def __enter__(self) -> Self:
        self._renewing.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._renewing.join()
        # Being told to stop is not the work's fault either.
        self._free(attempts=-1 if kind is not None and not issubclass(kind, Exception) else 0)

    def _free(self, attempts: int) -> None:
        if self._lost.is_set() or not self._known.value.lease.lives():
            return
        try:
            self.change(lambda work: _with(work, until=0.0, attempts=work.attempts + attempts))
        except LeaseLost:
            return
        except PlatformError:
            _log.warning("A lease could not be given back; it ends by itself", exc_info=True)

    def _renew_until_over(self) -> None:
        while not self._over.wait(self._seconds / _RENEWALS):
            try:
                self.change(lambda work: _with(work, until=time.time() + self._seconds, attempts=work.attempts))
            except LeaseLost:
                return
            except PlatformError:
                _log.warning("A lease could not be renewed", exc_info=True)


def take(store: Store[Work], key: str, owner: str, seconds: float, wanted: Callable[[Work], bool]) -> Held[Work] | None:
    """Take the lease on this work and count the attempt; None if it is gone, not wanted, or somebody works on it."""
    while (known := store.get(key)) is not None:
        work = known.value
        if work.lease.lives() or not wanted(work):
            return None
        lease = Lease(owner, work.lease.token + 1, time.time() + seconds)
        saved = store.replace(known, _changed(work, lease=lease, attempts=work.attempts + 1))
        if saved is not None:
            return Held(store, saved, seconds)
    return None


def _with(work: Work, *, until: float, attempts: int) -> Work:
    return _changed(work, lease=replace(work.lease, until=until), attempts=attempts)


def _changed(work: Work, **fields: Any) -> Work:
    changed: Work = replace(work, **fields)  # type: ignore[type-var] # works on any dataclass with these two fields
    return changed
