"""The port of the record store: small values with compare-and-set, for what needs no search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Record:
    """A small durable value, and the revision that the next change must name."""

    key: str
    value: Mapping[str, Any]
    revision: str


@dataclass(frozen=True, slots=True)
class Change:
    """A record to write if it still has this revision; None: if it does not exist."""

    key: str
    value: Mapping[str, Any]
    revision: str | None


class Records(Protocol):
    """A durable store of small records with compare-and-set. Blocking. `list` may lag, so decide by `get`.

    The methods for several records make one round trip for many. Each record succeeds or fails by itself.
    """

    def get(self, kind: str, key: str) -> Record | None: ...

    def get_many(self, kind: str, keys: Sequence[str]) -> list[Record | None]:
        """Return the records in the order of the keys."""

    def put_if(self, kind: str, key: str, value: Mapping[str, Any], revision: str | None) -> Record | None:
        """Write if the record has this revision (None: does not exist). Returns None if it does not."""

    def put_many(self, kind: str, changes: Sequence[Change]) -> list[Record | None]:
        """Return what `put_if` returns for each change, in order. The keys must differ."""

    def delete_if(self, kind: str, key: str, revision: str) -> bool: ...

    def delete_many(self, kind: str, records: Sequence[Record]) -> int:
        """Delete the records that still have their revision; return how many were deleted. The keys must differ."""

    def list(self, kind: str, prefix: str = "") -> list[Record]:
        """Return the records of a kind whose keys start with the prefix, sorted by key."""

    def check_writable(self) -> None:
        """Write something, to see whether writes are taken; raise `Unavailable` if not. Ends within seconds."""

    def close(self) -> None: ...
