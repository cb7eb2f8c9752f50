"""The port of the audit log: entries are appended, found by team and time, and removed by the month."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol


# A named tuple, because many of them are made each second, and a frozen dataclass takes five times as long.
class LogEntry(NamedTuple):
    """One entry. Its chain and number identify it; its position, which is unique too, orders entries by time."""

    chain: str
    number: int
    month: str
    """Like `2026.07`. It never decreases along a chain, so removing old months removes the beginnings of chains."""
    position: str
    team: str
    subject: str
    operation: str
    outcome: str
    body: Mapping[str, Any]
    """What is not searched for."""


class LogFilter(NamedTuple):
    """Which entries are wanted; None for any."""

    team: str | None = None
    subject: str | None = None
    operation: str | None = None
    outcome: str | None = None
    first: str | None = None
    """The lowest position."""
    end: str | None = None
    """The position before which the last one lies."""


class AuditLog(Protocol):
    """A durable log. Blocking. Reads see all entries that were appended before."""

    def append(self, entries: Sequence[LogEntry]) -> None:
        """Add entries; they are durable when this returns. One that exists already stays as it is."""

    def replace(self, entries: Sequence[LogEntry]) -> None:
        """Overwrite the subject and the body of entries that exist; others are ignored."""

    def find(self, wanted: LogFilter, *, after: str | None, limit: int, newest_first: bool) -> list[LogEntry]:
        """Return entries by position, beyond `after`."""

    def read_chain(self, chain: str, *, first: int, limit: int) -> list[LogEntry]:
        """Return the entries of a chain by number, from `first` on."""

    def chains(self) -> list[str]:
        """Return the chains that have entries, sorted."""

    def months(self) -> list[str]:
        """Return the months that have entries, sorted."""

    def remove_before(self, month: str) -> None:
        """Remove all entries of earlier months."""

    def close(self) -> None: ...
