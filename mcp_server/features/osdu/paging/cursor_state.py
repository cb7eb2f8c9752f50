"""Where reading on has come to: all that a cursor of ours carries."""

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from indexer.cursors import Cursor

TAIL: Final = 8
"""At most so many records before a place tell whether an order is still the same."""
_MARK: Final = 6


@dataclass(frozen=True, slots=True)
class Place:
    """A position in the service's stream of records, counted from 0, and how to get on from there."""

    total: int
    position: int
    hidden: frozenset[bytes] = frozenset()
    """Marks of the records that the first page showed and the stream has not passed yet."""
    tail: str = ""
    """Digest of the records just before; empty where none were read."""
    stream: str = ""
    """Names the stream in the process that reads it."""
    cursor: str | None = None
    """The service's cursor..."""
    cursor_at: int = 0
    """...which stands at this position..."""
    size: int = 0
    """...and gives pages of this size."""

    def to_cursor(self) -> Cursor:
        hidden = b64encode(b"".join(sorted(self.hidden))).decode()
        return Cursor(
            total=self.total,
            generation=0,
            shown=(hidden,) if hidden else (),
            view=self.cursor,
            position=[self.position, self.tail, self.stream, self.cursor_at, self.size],
        )

    @classmethod
    def from_cursor(cls, cursor: Cursor) -> "Place":
        marks = b64decode("".join(cursor.shown))
        position, tail, stream, cursor_at, size = cursor.position or [0, "", "", 0, 0]
        return cls(
            total=cursor.total,
            position=position,
            hidden=frozenset(marks[start : start + _MARK] for start in range(0, len(marks), _MARK)),
            tail=tail,
            stream=stream,
            cursor=cursor.view,
            cursor_at=cursor_at,
            size=size,
        )


def mark(record: Mapping[str, Any]) -> bytes:
    """Return a short digest that stands for a record: of its id, or of all of it where it has none."""
    told = record.get("id")
    raw = told.encode("utf-8", "surrogatepass") if isinstance(told, str) else orjson.dumps(record)
    return hashlib.blake2b(raw, digest_size=_MARK).digest()


def tail_of(records: Sequence[Mapping[str, Any]]) -> str:
    """Return how many these records are and a digest of them in their order."""
    digest = hashlib.blake2b(b"".join(mark(record) for record in records), digest_size=8).hexdigest()
    return f"{len(records)}{digest}" if records else ""
