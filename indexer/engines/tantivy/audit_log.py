"""`AuditLog` in SQLite: a file of its own, apart from the records that hold the signed heads of its chains."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from indexer.engines.audit_port import LogEntry, LogFilter
from indexer.engines.tantivy.sqlite_file import SqliteFile
from indexer.file_lock import REQUEST_PATIENCE

_SETUP: Final = (
    # What is erased is overwritten in the file.
    "PRAGMA secure_delete = ON",
    """
    CREATE TABLE IF NOT EXISTS entries (
        chain TEXT NOT NULL, number INTEGER NOT NULL, month TEXT NOT NULL, position TEXT NOT NULL, team TEXT NOT NULL,
        subject TEXT NOT NULL, operation TEXT NOT NULL, outcome TEXT NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (chain, number)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX IF NOT EXISTS by_team ON entries (team, position)",
    "CREATE INDEX IF NOT EXISTS by_position ON entries (position)",
    "CREATE INDEX IF NOT EXISTS by_month ON entries (month)",
)
_COLUMNS: Final = "chain, number, month, position, team, subject, operation, outcome, body"


class SqliteAuditLog(SqliteFile):
    """`AuditLog`. An erased value is overwritten in the file at the next checkpoint of SQLite."""

    def __init__(self, path: Path, *, patience: float = REQUEST_PATIENCE) -> None:
        super().__init__(path, _SETUP, "The audit trail", patience)

    def append(self, entries: Sequence[LogEntry]) -> None:
        rows = [(*entry[:-1], orjson.dumps(entry.body)) for entry in entries]
        with self._transaction() as connection:
            connection.executemany("INSERT OR IGNORE INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def replace(self, entries: Sequence[LogEntry]) -> None:
        rows = [(entry.subject, orjson.dumps(entry.body), entry.chain, entry.number) for entry in entries]
        with self._transaction() as connection:
            connection.executemany("UPDATE entries SET subject = ?, body = ? WHERE chain = ? AND number = ?", rows)

    def find(self, wanted: LogFilter, *, after: str | None, limit: int, newest_first: bool) -> list[LogEntry]:
        beyond, order = ("<", "DESC") if newest_first else (">", "ASC")
        conditions = [
            ("team = ?", wanted.team),
            ("subject = ?", wanted.subject),
            ("operation = ?", wanted.operation),
            ("outcome = ?", wanted.outcome),
            ("position >= ?", wanted.first),
            ("position < ?", wanted.end),
            (f"position {beyond} ?", after),
        ]
        given = [(condition, value) for condition, value in conditions if value is not None]
        where = " AND ".join(condition for condition, _ in given) or "TRUE"
        return self._read(f"{where} ORDER BY position {order} LIMIT ?", (*(value for _, value in given), limit))

    def read_chain(self, chain: str, *, first: int, limit: int) -> list[LogEntry]:
        return self._read("chain = ? AND number >= ? ORDER BY number LIMIT ?", (chain, first, limit))

    def chains(self) -> list[str]:
        return self._distinct("chain")

    def months(self) -> list[str]:
        return self._distinct("month")

    def remove_before(self, month: str) -> None:
        with self._writing() as connection:
            connection.execute("DELETE FROM entries WHERE month < ?", (month,))

    def _read(self, conditions: str, values: tuple[Any, ...]) -> list[LogEntry]:
        with self._reading() as connection:
            # Only constants of this module are put into the statement; all values are bound.
            statement = f"SELECT {_COLUMNS} FROM entries WHERE {conditions}"  # noqa: S608 (see above)
            rows = connection.execute(statement, values).fetchall()
        return [LogEntry._make((*row[:-1], orjson.loads(row[-1]))) for row in rows]

    def _distinct(self, column: str) -> list[str]:
        with self._reading() as connection:
            statement = f"SELECT DISTINCT {column} FROM entries ORDER BY 1"  # noqa: S608 (a constant)
            return [value for (value,) in connection.execute(statement)]
