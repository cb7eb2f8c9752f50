"""An audit trail on SQLite, whose store can be made to fail or to hang."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from indexer.audit.trail import AuditTrail
from indexer.engines.audit_port import LogEntry
from indexer.engines.tantivy.audit_log import SqliteAuditLog
from indexer.engines.tantivy.records import SqliteRecords
from indexer.errors import Unavailable
from mcp_server.audit.call_audit import CallAudit
from tests.contract.audit.trails import KEY, Kept


class FlakyLog(SqliteAuditLog):
    """A log that fails or waits while it is told to."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.error: Exception | None = None
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def append(self, entries: Sequence[LogEntry]) -> None:
        self.may_go_on.wait(60)
        if self.error is not None:
            raise self.error
        super().append(entries)


DOWN = Unavailable("The disk is full", action="Free some space")


@pytest.fixture
def log(tmp_path: Path) -> Iterator[FlakyLog]:
    opened = FlakyLog(tmp_path / "audit.sqlite3")
    yield opened
    opened.close()


@pytest.fixture
def kept(log: FlakyLog, tmp_path: Path) -> Iterator[Kept]:
    records = SqliteRecords(tmp_path / "records.sqlite3")
    yield Kept(log, records)
    records.close()


@pytest.fixture
def audit(kept: Kept) -> Iterator[CallAudit]:
    made = make_audit(kept)
    yield made
    made.close()


def make_audit(kept: Kept, now: Any = None, **options: Any) -> CallAudit:
    trail = AuditTrail(kept.log, kept.records, (KEY,), **options)
    return CallAudit(trail) if now is None else CallAudit(trail, now)
