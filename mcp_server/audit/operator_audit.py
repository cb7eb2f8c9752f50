"""Records what an operator does by a command on the store itself, past `run`: tokens, teams, erasures."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from indexer.audit.record import UNKNOWN, AuditRecord
from indexer.audit.trail import AuditTrail
from indexer.errors import PlatformError


@contextmanager
def audited(trail: AuditTrail, operation: str, *, team: str, subject: str) -> Iterator[AuditRecord]:
    """Record a command before it runs, and again when it has ended. Blocking.

    The command sets `object` of the record to the identifier of what it concerned. If the first record cannot be
    stored, the command does not run; if the second cannot be stored, it fails.
    """
    record = AuditRecord(trail.next_call(), time.time(), team, subject, "trawl", "", operation, "", UNKNOWN)
    trail.store_now(replace(record, has_ended=False), signed=False)
    record.outcome = "error"
    try:
        yield record
        record.outcome = "ok"
    except PlatformError as error:
        record.outcome = error.category
        raise
    finally:
        record.seconds = time.time() - record.at
        trail.store_now(record)
