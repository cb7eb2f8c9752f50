"""The state that Trawl's own cursor carries between two pages of OSDU records."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from indexer.shown import ShownHits, shown_digest

TAIL_LENGTH: Final = 8
"""How many records before a position are compared to detect a changed order."""


@dataclass(frozen=True, slots=True)
class CursorState:
    """A position in the stream of records, counted from 0, and how to continue from it."""

    total: int
    position: int
    already_shown: ShownHits = frozenset()
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


def record_digest(record: Mapping[str, Any]) -> bytes:
    """Return a short digest that identifies a record: of its id, or of the whole record where it has none."""
    record_id = record.get("id")
    raw = record_id.encode("utf-8", "surrogatepass") if isinstance(record_id, str) else orjson.dumps(record)
    return shown_digest(raw)


def tail_digest(records: Sequence[Mapping[str, Any]]) -> str:
    """Return the number of these records, and a digest of them in their order."""
    digest = hashlib.blake2b(b"".join(record_digest(record) for record in records), digest_size=8).hexdigest()
    return f"{len(records)}{digest}" if records else ""
