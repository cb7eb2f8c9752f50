"""`port.Records` in SQLite, shared by all processes of a data folder."""

import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import orjson

from indexer.engines.port import Json
from indexer.engines.record_port import Change, Record
from indexer.engines.tantivy.sqlite_file import SqliteFile
from indexer.file_lock import PROBE_PATIENCE, REQUEST_PATIENCE

_LAST_CHARACTER: Final = "\U0010ffff"
_CREATE_TABLE: Final = """
CREATE TABLE IF NOT EXISTS records (
    kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, revision TEXT NOT NULL, PRIMARY KEY (kind, key)
) WITHOUT ROWID
"""


class SqliteRecords(SqliteFile):
    """`port.Records`. Every change is fsynced before the call returns."""

    def __init__(self, path: Path, *, patience: float = REQUEST_PATIENCE) -> None:
        super().__init__(path, (_CREATE_TABLE,), "The records", patience)

    def get(self, kind: str, key: str) -> Record | None:
        with self._reading() as connection:
            return _select(connection, kind, key)

    def get_many(self, kind: str, keys: Sequence[str]) -> list[Record | None]:
        with self._reading() as connection:
            return [_select(connection, kind, key) for key in keys]

    def put_if(self, kind: str, key: str, value: Mapping[str, Json], revision: str | None) -> Record | None:
        with self._writing() as connection:
            return _put(connection, kind, Change(key, value, revision))

    def put_many(self, kind: str, changes: Sequence[Change]) -> list[Record | None]:
        with self._transaction() as connection:
            return [_put(connection, kind, change) for change in changes]

    def delete_if(self, kind: str, key: str, revision: str) -> bool:
        with self._writing() as connection:
            return _delete(connection, kind, key, revision)

    def delete_many(self, kind: str, records: Sequence[Record]) -> int:
        with self._transaction() as connection:
            return sum(_delete(connection, kind, record.key, record.revision) for record in records)

    def list(self, kind: str, prefix: str = "") -> list[Record]:
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT key, value, revision FROM records WHERE kind = ? AND key >= ? AND key < ? ORDER BY key",
                (kind, prefix, prefix + _LAST_CHARACTER),
            ).fetchall()
        return [_record(row) for row in rows]

    def check_writable(self) -> None:
        with self._writing(PROBE_PATIENCE) as connection:
            connection.execute(
                "INSERT OR REPLACE INTO records (kind, key, value, revision) VALUES ('probe', 'probe', '{}', ?)",
                (secrets.token_hex(12),),
            )


def _select(connection: sqlite3.Connection, kind: str, key: str) -> Record | None:
    row = connection.execute(
        "SELECT key, value, revision FROM records WHERE kind = ? AND key = ?", (kind, key)
    ).fetchone()
    return None if row is None else _record(row)


def _put(connection: sqlite3.Connection, kind: str, change: Change) -> Record | None:
    encoded, new_revision = orjson.dumps(dict(change.value)), secrets.token_hex(12)
    if change.revision is None:
        cursor = connection.execute(
            "INSERT OR IGNORE INTO records (kind, key, value, revision) VALUES (?, ?, ?, ?)",
            (kind, change.key, encoded, new_revision),
        )
    else:
        cursor = connection.execute(
            "UPDATE records SET value = ?, revision = ? WHERE kind = ? AND key = ? AND revision = ?",
            (encoded, new_revision, kind, change.key, change.revision),
        )
    return _record((change.key, encoded, new_revision)) if cursor.rowcount == 1 else None


def _delete(connection: sqlite3.Connection, kind: str, key: str, revision: str) -> bool:
    cursor = connection.execute(
        "DELETE FROM records WHERE kind = ? AND key = ? AND revision = ?", (kind, key, revision)
    )
    return cursor.rowcount == 1


def _record(row: tuple[str, bytes, str]) -> Record:
    key, value, revision = row
    return Record(key, orjson.loads(value), revision)
