"""Reads the trail: one record per call, by time."""

from collections.abc import Iterator
from itertools import groupby, islice
from typing import Final

from typing_extensions import TypedDict

from indexer.audit.entry import call_of, time_of
from indexer.audit.record import UNKNOWN
from indexer.engines.audit_port import AuditLog, LogEntry, LogFilter
from indexer.schema.dates import format_utc

_PAGE: Final = 1_000
_MAX_CALLS: Final = 50_000
"""How many calls one page of records may look at: few of them may match."""


class AuditEntry(TypedDict):
    """One call: who did what when, and how it ended."""

    time: str
    team: str
    subject: str
    client: str
    address: str
    operation: str
    object: str
    """The identifiers of what it concerned."""
    outcome: str
    """ok, the category of a failure, error, cancelled, or unknown if its process still works on it or died."""
    duration_ms: int
    bytes: int
    """The size of what the caller stored."""


def read_all(log: AuditLog, wanted: LogFilter) -> Iterator[AuditEntry]:
    """Yield a record for each call, oldest first. Blocking."""
    calls = _calls(log, wanted, None, newest_first=False)
    return (_render(entry) for entry in calls if wanted.outcome in {None, entry.outcome})


def read_page(
    log: AuditLog, wanted: LogFilter, *, after: str | None, limit: int
) -> tuple[list[AuditEntry], str | None]:
    """Return the newest records beyond a position, and where the next page begins if there may be one. Blocking."""
    found: list[AuditEntry] = []
    calls = _calls(log, wanted, after, newest_first=True)
    for entry in islice(calls, _MAX_CALLS):
        after = entry.position
        if wanted.outcome in {None, entry.outcome}:
            found.append(_render(entry))
        if len(found) == limit:
            break
    return found, None if next(calls, None) is None else after


def _calls(log: AuditLog, wanted: LogFilter, after: str | None, *, newest_first: bool) -> Iterator[LogEntry]:
    """Yield an entry for each call beyond the position: of its end, or of its beginning if it has not ended."""
    shown = None if after is None else call_of(after)
    # An entry of a beginning does not tell whether its call has ended, so calls are looked at one by one for that.
    searched = wanted._replace(outcome=None) if wanted.outcome == UNKNOWN else wanted
    # The two entries of a call have neighbouring positions.
    for call, entries in groupby(_pages(log, searched, after, newest_first), lambda entry: call_of(entry.position)):
        last = max(entries, key=lambda entry: entry.position)
        if call != shown:
            yield last


def _render(entry: LogEntry) -> AuditEntry:
    """Return an entry as callers see it."""
    return AuditEntry(
        time=format_utc(time_of(entry)),
        team=entry.team,
        subject=entry.subject,
        client=entry.body["client"],
        address=entry.body["address"],
        operation=entry.operation,
        object=entry.body["object"],
        outcome=entry.outcome,
        duration_ms=entry.body["duration_ms"],
        bytes=entry.body["bytes"],
    )


def _pages(log: AuditLog, wanted: LogFilter, after: str | None, newest_first: bool) -> Iterator[LogEntry]:
    while page := log.find(wanted, after=after, limit=_PAGE, newest_first=newest_first):
        yield from page
        after = page[-1].position
        if len(page) < _PAGE:
            return
