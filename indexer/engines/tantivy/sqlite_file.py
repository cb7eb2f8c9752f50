"""A SQLite file in the data folder, shared by all processes that use the folder."""

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from indexer.errors import PlatformError, Unavailable

_LOCK_TIMEOUT_SECONDS: Final = 30.0


class SqliteFile:
    """Every change is fsynced before the call returns."""

    def __init__(self, path: Path, setup: Sequence[str], what: str) -> None:
        """Take the statements that prepare each connection, and what the file holds, for failures."""
        self._path = path
        self._setup = setup
        self._what = what
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._connection_pid = 0

    def close(self) -> None:
        with self._lock:
            if self._connection is not None and self._connection_pid == os.getpid():
                self._connection.close()
            self._connection = None

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """Give this process's connection to one thread at a time. Each statement is its own transaction."""
        with self._lock, self._translate_errors():
            # A SQLite connection must not be used after a fork.
            if self._connection is None or self._connection_pid != os.getpid():
                self._connection = self._connect()
                self._connection_pid = os.getpid()
            yield self._connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for several statements that are applied together or not at all."""
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def _connect(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            self._path, timeout=_LOCK_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
        )
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
        except OSError as error:
            raise self._failure_of_message("unable to open") from error

    def _failure_of_message(self, message: str) -> PlatformError:
        if "full" in message:
            return Unavailable("The disk with the data folder is full", action="Free some space, then try again")
        if "locked" in message or "busy" in message:
            return Unavailable(
                f"{self._what} in the data folder cannot be used now: another process writes to the same file",
                action="Try again in a moment",
            )
        return Unavailable(
            f"{self._what} in the data folder cannot be written or read",
            action="Give this service's user the right to write in TRAWL_DATA_DIR",
        )
