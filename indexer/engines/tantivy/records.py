"""`port.Records` in SQLite, shared by all processes of a data folder."""

import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import orjson

from indexer.engines.port import Json
from indexer.engines.record_port import Record
from indexer.errors import PlatformError, Unavailable

_LOCK_TIMEOUT_SECONDS: Final = 30.0
_LAST_CHARACTER: Final = "\U0010ffff"
_CREATE_TABLE: Final = """
CREATE TABLE IF NOT EXISTS records (
    kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, revision TEXT NOT NULL, PRIMARY KEY (kind, key)
) WITHOUT ROWID
"""


class SqliteRecords:
    """`port.Records`. Every change is fsynced before the call returns."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._connection_pid = 0

    def get(self, kind: str, key: str) -> Record | None:
        with self._connected() as connection:
            row = connection.execute(
                "SELECT key, value, revision FROM records WHERE kind = ? AND key = ?", (kind, key)
            ).fetchone()
        return None if row is None else _record(row)

    def put_if(self, kind: str, key: str, value: Mapping[str, Json], revision: str | None) -> Record | None:
        encoded, new_revision = orjson.dumps(dict(value)), secrets.token_hex(12)
        with self._connected() as connection:
            if revision is None:
                cursor = connection.execute(
                    "INSERT OR IGNORE INTO records (kind, key, value, revision) VALUES (?, ?, ?, ?)",
                    (kind, key, encoded, new_revision),
                )
            else:
                cursor = connection.execute(
                    "UPDATE records SET value = ?, revision = ? WHERE kind = ? AND key = ? AND revision = ?",
                    (encoded, new_revision, kind, key, revision),
                )
            return _record((key, encoded, new_revision)) if cursor.rowcount == 1 else None

    def delete_if(self, kind: str, key: str, revision: str) -> bool:
        with self._connected() as connection:
            cursor = connection.execute(
                "DELETE FROM records WHERE kind = ? AND key = ? AND revision = ?", (kind, key, revision)
            )
            return cursor.rowcount == 1

    def list(self, kind: str, prefix: str = "") -> list[Record]:
        with self._connected() as connection:
            rows = connection.execute(
                "SELECT key, value, revision FROM records WHERE kind = ? AND key >= ? AND key < ? ORDER BY key",
                (kind, prefix, prefix + _LAST_CHARACTER),
            ).fetchall()
        return [_record(row) for row in rows]

    def close(self) -> None:
        with self._lock:
            if self._connection is not None and self._connection_pid == os.getpid():
                self._connection.close()
            self._connection = None

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """Give this process's connection to one thread at a time. Each statement is its own transaction."""
        with self._lock, _translate_errors():
            # A SQLite connection must not be used after a fork.
            if self._connection is None or self._connection_pid != os.getpid():
                self._connection = _connect(self._path)
                self._connection_pid = os.getpid()
            yield self._connection


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=_LOCK_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(_CREATE_TABLE)
    except BaseException:
        connection.close()
        raise
    return connection


def _record(row: tuple[str, bytes, str]) -> Record:
    key, value, revision = row
    return Record(key, orjson.loads(value), revision)


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise _failure_of_message(str(error)) from error
    except sqlite3.DatabaseError as error:
        raise Unavailable(
            "The records in the data folder cannot be read: the file may be damaged",
            action="Run `trawl doctor`, and restore records.sqlite3 from a copy",
            command="trawl doctor",
        ) from error
    except OSError as error:
        raise _failure_of_message("unable to open") from error


def _failure_of_message(message: str) -> PlatformError:
    if "full" in message:
        return Unavailable("The disk with the data folder is full", action="Free some space, then try again")
    if "locked" in message or "busy" in message:
        return Unavailable("The records are being written to by others", action="Try again in a moment")
    return Unavailable(
        "The records in the data folder cannot be written or read",
        action="Give this service's user the right to write in TRAWL_DATA_DIR",
    )
