"""`port.Records` in SQLite, shared by all processes of a data folder."""

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import orjson

from indexer.engines.port import Json
from indexer.engines.record_port import Record
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
            row = connection.execute(
                "SELECT key, value, revision FROM records WHERE kind = ? AND key = ?", (kind, key)
            ).fetchone()
        return None if row is None else _record(row)

    def put_if(self, kind: str, key: str, value: Mapping[str, Json], revision: str | None) -> Record | None:
        encoded, new_revision = orjson.dumps(dict(value)), secrets.token_hex(12)
        with self._writing() as connection:
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
        with self._writing() as connection:
            cursor = connection.execute(
                "DELETE FROM records WHERE kind = ? AND key = ? AND revision = ?", (kind, key, revision)
            )
            return cursor.rowcount == 1

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


def _record(row: tuple[str, bytes, str]) -> Record:
    key, value, revision = row
    return Record(key, orjson.loads(value), revision)
