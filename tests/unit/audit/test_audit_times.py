"""The times by which the audit is filtered: a record is found by the very time that it shows."""

from datetime import UTC, datetime

import pytest

from indexer.audit.entry import seal, time_of
from indexer.audit.record import AuditRecord
from indexer.schema.dates import format_utc
from indexer.tenancy import TeamId
from mcp_server.features.account.arguments import ListAudit
from mcp_server.features.account.audit import audit_filter

START = datetime(2026, 11, 18, 14, 56, tzinfo=UTC).timestamp()


def position_and_time(at: float) -> tuple[str, str]:
    record = AuditRecord(1, at, TeamId("red"), "token:test", "", "", "search_index", "", "ok")
    entry = seal(record, chain="c", number=1, month="2026.11", previous="", key=b"k", salt="s")
    return entry.position, format_utc(time_of(entry))


@pytest.mark.parametrize("first", range(0, 60_000, 6_000))
def test_since_and_until_include_the_millisecond_that_they_name(first: int) -> None:
    for number in range(first, first + 6_000, 7):
        position, shown = position_and_time(START + number / 1_000)
        wanted = audit_filter(TeamId("red"), ListAudit(since=shown, until=shown))
        assert wanted.first is not None
        assert wanted.end is not None
        assert wanted.first <= position < wanted.end, shown


def test_a_day_ends_before_the_next_one_begins() -> None:
    next_day, _ = position_and_time(datetime(2026, 11, 19, tzinfo=UTC).timestamp())
    last, _ = position_and_time(datetime(2026, 11, 18, 23, 59, 59, 999_000, tzinfo=UTC).timestamp())
    end = audit_filter(TeamId("red"), ListAudit(until="2026-11-18")).end
    assert end is not None
    assert last < end <= next_day
