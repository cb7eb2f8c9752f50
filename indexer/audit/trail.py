"""Writes the audit trail in a thread: what waits for its record shares one write, and the rest is written each second.

- A call that changes something is recorded before it runs, and again when it has ended. If the first record cannot be
  stored, the call fails before it changes anything. If the second cannot be stored, the call is not acknowledged, and
  the first one tells of it.
- Records that cannot be stored stay in memory, up to a limit, and are stored as soon as that is possible. Above the
  limit all calls are refused: none goes unrecorded.
- A process that is killed loses the reads of its last second, and nothing that was acknowledged as recorded.
"""

import itertools
import logging
import threading
import time
from collections import deque
from concurrent.futures import Future
from typing import Final

from indexer.audit.chain import Chain
from indexer.audit.heads import Heads
from indexer.audit.record import AuditRecord
from indexer.audit.signing import audit_keys
from indexer.engines.audit_port import AuditLog
from indexer.engines.record_port import Records
from indexer.errors import PlatformError, Unavailable

_log = logging.getLogger(__name__)
_INTERVAL_SECONDS: Final = 1.0
_MAX_WAIT_SECONDS: Final = 15.0
_CAPACITY: Final = 20_000

_Waiting = tuple[AuditRecord | None, "Future[None] | None", bool]
"""A record, who waits for it, and whether a signed head must cover it."""


class AuditUnavailable(Unavailable):
    """Calls cannot be recorded now, so that none is run or acknowledged."""

    def __init__(self) -> None:
        super().__init__(
            "The audit trail cannot be written now, so the call was refused",
            action="Try again later; `trawl doctor` tells the operator what is wrong",
        )


class AuditTrail:
    """The trail of this process. Nothing is opened or started before the first record."""

    def __init__(
        self,
        log: AuditLog,
        records: Records,
        keys: tuple[bytes, ...],
        *,
        interval: float = _INTERVAL_SECONDS,
        capacity: int = _CAPACITY,
    ) -> None:
        """Take the service's secret keys, the current one first."""
        derived = audit_keys(keys)
        self.chain = Chain(log, Heads(records, derived), derived[0])
        self.written = 0
        """How many records were stored."""
        self.failures = 0
        """How often records could not be stored, or were refused because too many wait."""
        self._interval = interval
        self._capacity = capacity
        self._calls = itertools.count(1)
        self._queue: deque[_Waiting] = deque()
        self._wake = threading.Event()
        self._stopping = False
        self._signed_at = 0.0
        self._is_failing = False
        self._start_lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def next_call(self) -> int:
        """Return a number for a new call; `AuditUnavailable` if no more records fit in memory."""
        if self._stopping or len(self._queue) + self.chain.unstored >= self._capacity:
            self.failures += 1
            raise AuditUnavailable
        return next(self._calls)

    def add(self, record: AuditRecord) -> None:
        """Record within a second."""
        self._queue.append((record, None, False))
        if self._thread is None:
            self._start()

    def store(self, record: AuditRecord | None, *, signed: bool) -> "Future[None]":
        """Record at once. The result comes when it is stored, with all before it, and covered by a signed head."""
        waiting: Future[None] = Future()
        self._queue.append((record, waiting, signed))
        if self._thread is None:
            self._start()
        self._wake.set()
        return waiting

    def store_now(self, record: AuditRecord | None, *, signed: bool = True) -> None:
        """Record at once, and wait for it; `AuditUnavailable` if it cannot be stored in time. Blocking."""
        try:
            self.store(record, signed=signed).result(_MAX_WAIT_SECONDS)
        except TimeoutError:
            raise AuditUnavailable from None

    def flush(self) -> None:
        """Return when all that was recorded so far is stored and signed; `AuditUnavailable` if it cannot be."""
        if self._thread is not None:
            self.store_now(None)

    def close(self) -> None:
        """Store what is left, and end. What cannot be stored is lost, and the log says so."""
        self._stopping = True
        if self._thread is not None:
            self._wake.set()
            self._thread.join(_MAX_WAIT_SECONDS)
        left = len(self._queue) + self.chain.unstored
        if left:
            _log.error("%d audit records could not be stored and are lost", left)

    def _start(self) -> None:
        with self._start_lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="audit", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            self._wake.wait(self._interval)
            self._wake.clear()
            # Read before the queue is: what comes later finds the thread still running.
            stopping = self._stopping
            self._write()
            if stopping:
                return

    def _write(self) -> None:
        batch = [self._queue.popleft() for _ in range(len(self._queue))]
        waiting = [(future, signed) for _, future, signed in batch if future is not None]
        running = [(future, signed) for future, signed in waiting if future.set_running_or_notify_cancel()]
        try:
            self.chain.add([record for record, _, _ in batch if record is not None])
            self.written += self.chain.store()
            for future, signed in running:
                if not signed:
                    future.set_result(None)
            if self._is_head_due(running):
                self.chain.sign()
                self._signed_at = time.monotonic()
        except Exception as error:  # noqa: BLE001 (a bug must not end the thread: nothing would be recorded any more)
            self._fail(running, error)
            return
        self._is_failing = False
        for future, signed in running:
            if signed:
                future.set_result(None)

    def _is_head_due(self, running: "list[tuple[Future[None], bool]]") -> bool:
        late = self._stopping or time.monotonic() - self._signed_at >= self._interval
        return late or any(signed for _, signed in running)

    def _fail(self, running: "list[tuple[Future[None], bool]]", error: Exception) -> None:
        self.failures += 1
        if not isinstance(error, PlatformError):
            _log.error("Writing the audit trail failed: %s", type(error).__name__)
        elif not self._is_failing:
            _log.warning("The audit trail cannot be written, and is tried again: %s", error.category)
        self._is_failing = True
        for future, _ in running:
            if not future.done():
                future.set_exception(AuditUnavailable())
