"""The state that Trawl's own cursor carries between two pages of OSDU records."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from indexer.cursors import Cursor, shown_digest

TAIL_LENGTH: Final = 8
"""How many records before a position are compared to detect a changed order."""


@dataclass(frozen=True, slots=True)
class CursorState:
    """A position in the stream of records, counted from 0, and how to continue from it."""

    total: int
    position: int
    already_shown: frozenset[bytes] = frozenset()
    """Digests of the records that the first page showed and the stream has not passed yet."""
    tail: str = ""
    """Digest of the records just before the position; empty where none were read."""
    stream: str = ""
    """Name of the stream in the process that reads it."""
    cursor: str | None = None
    """The service's cursor."""
    cursor_at: int = 0
    """The position of the service's cursor."""
    size: int = 0
    """The page size of the service's cursor."""

    def to_cursor(self) -> Cursor:
        return Cursor(
            total=self.total,
            generation=0,
            shown=self.already_shown,
            view=self.cursor,
            position=[self.position, self.tail, self.stream, self.cursor_at, self.size],
        )

    @classmethod
    def from_cursor(cls, cursor: Cursor) -> "CursorState":
        position, tail, stream, cursor_at, size = cursor.position or [0, "", "", 0, 0]
        return cls(
            total=cursor.total,
            position=position,
            already_shown=cursor.shown,
            tail=tail,
            stream=stream,
            cursor=cursor.view,
            cursor_at=cursor_at,
            size=size,
        )


def record_digest(record: Mapping[str, Any]) -> bytes:
    """Return a short digest that identifies a record: of its id, or of the whole record where it has none."""
    record_id = record.get("id")
    raw = record_id.encode("utf-8", "surrogatepass") if isinstance(record_id, str) else orjson.dumps(record)
    return shown_digest(raw)


def tail_digest(records: Sequence[Mapping[str, Any]]) -> str:
    """Return the number of these records, and a digest of them in their order."""
    digest = hashlib.blake2b(b"".join(record_digest(record) for record in records), digest_size=8).hexdigest()
    return f"{len(records)}{digest}" if records else ""
