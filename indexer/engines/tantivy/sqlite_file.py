"""A SQLite file in the data folder, shared by all processes that use the folder."""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from indexer.errors import PlatformError, Unavailable
from indexer.file_lock import held_by
from indexer.open_files import is_out_of_files, too_many_files

_NOTICEABLE_SECONDS: Final = 0.1


class SqliteFile:
    """Every change is fsynced before the call returns. Reads never wait for writers."""

    def __init__(self, path: Path, setup: Sequence[str], what: str, patience: float) -> None:
        """Take the statements that prepare each connection, what the file holds, and how long a call waits."""
        self._path = path
        self._setup = setup
        self._what = what
        self._patience = patience
        self._for_reads = _Shared(self._connect, patience)
        self._for_writes = _Shared(self._connect, patience)

    def close(self) -> None:
        self._for_reads.close()
        self._for_writes.close()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection that reads to one thread at a time."""
        with self._translate_errors(), self._for_reads.held(self._patience) as connection:
            yield connection

    @contextmanager
    def _writing(self, patience: float | None = None) -> Iterator[sqlite3.Connection]:
        """Give the connection that writes to one thread at a time. Each statement is its own transaction."""
        seconds = self._patience if patience is None else min(patience, self._patience)
        with self._translate_errors(), self._for_writes.held(seconds) as connection:
            yield connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Give the connection that writes for statements that are applied together or not at all."""
        with self._writing() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                # Some errors, like a full disk, have ended the transaction already.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def _connect(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=self._patience, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            for statement in self._setup:
                connection.execute(statement)
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise self._failure_of_message(str(error)) from error
        except sqlite3.DatabaseError as error:
            raise Unavailable(
                f"{self._what} in the data folder cannot be read: the file may be damaged",
                action=f"Run `trawl doctor`, and restore {self._path.name} from a copy",
                command="trawl doctor",
            ) from error
        except TimeoutError as error:
            raise self._failure_of_message("locked") from error
        except OSError as error:
            raise too_many_files() if is_out_of_files(error) else self._failure_of_message("unable to open") from error

    def _failure_of_message(self, message: str) -> PlatformError:
        if "full" in message:
            return Unavailable("The disk with the data folder is full", action="Free some space, then try again")
        if "locked" in message or "busy" in message:
            # In this mode SQLite locks the index of its log for a write, and the file itself only at rare times.
            files = (self._path.with_name(f"{self._path.name}-shm"), self._path)
            return held_by(f"{self._what} in the data folder cannot be used now: the file is locked", *files)
        return Unavailable(
            f"{self._what} in the data folder cannot be written or read",
            action="See that the disk has room and not too many files are open (ulimit -n), and give this service's "
            "user the right to write in TRAWL_DATA_DIR",
        )


class _Shared:
    """A connection of this process, for one thread at a time; opened at its first use."""

    def __init__(self, connect: Callable[[], sqlite3.Connection], usual: float) -> None:
        """Take how to connect, and how many seconds a connection waits for other processes."""
        self._connect = connect
        self._usual = usual
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0

    @contextmanager
    def held(self, patience: float) -> Iterator[sqlite3.Connection]:
        """Give the connection; `TimeoutError` if other threads keep it too long. All waits together end in time."""
        began = time.monotonic()
        if not self._lock.acquire(timeout=patience):
            raise TimeoutError
        try:
            left = patience - (time.monotonic() - began)
            connection = self._opened()
            if left > self._usual - _NOTICEABLE_SECONDS:
                yield connection
                return
            _wait_at_most(connection, left)
            try:
                yield connection
            finally:
                _wait_at_most(connection, self._usual)
        finally:
            self._lock.release()

    def close(self) -> None:
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def _opened(self) -> sqlite3.Connection:
        # A SQLite connection must not be used after a fork.
        if self._connection is None or self._process != os.getpid():
            self._connection = self._connect()
            self._process = os.getpid()
        return self._connection


def _wait_at_most(connection: sqlite3.Connection, seconds: float) -> None:
    connection.execute(f"PRAGMA busy_timeout = {max(1, int(seconds * 1_000))}")
