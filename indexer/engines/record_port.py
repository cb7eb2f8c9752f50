"""The port of the record store: small values with compare-and-set, for what needs no search."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Record:
    """A small durable value, and the revision that the next change must name."""

    key: str
    value: Mapping[str, Any]
    revision: str


class Records(Protocol):
    """A durable store of small records with compare-and-set. Blocking. `list` may lag, so decide by `get`."""

    def get(self, kind: str, key: str) -> Record | None: ...

    def put_if(self, kind: str, key: str, value: Mapping[str, Any], revision: str | None) -> Record | None:
        """Write if the record has this revision (None: does not exist). Returns None if it does not."""

    def delete_if(self, kind: str, key: str, revision: str) -> bool: ...

    def list(self, kind: str, prefix: str = "") -> list[Record]:
        """Return the records of a kind whose keys start with the prefix, sorted by key."""

    def check_writable(self) -> None:
        """Write something, to see whether writes are taken; raise `Unavailable` if not. Ends within seconds."""

    def close(self) -> None: ...
