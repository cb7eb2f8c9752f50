"""The thread that writes the trail: what waits, what is buffered, and what happens while the store is down."""

import logging
import threading

import pytest

from indexer.audit.record import AuditRecord
from indexer.audit.trail import AuditTrail, AuditUnavailable
from tests.contract.audit.trails import KEY, Kept, record
from tests.service import wait_until
from tests.unit.audit.conftest import DOWN, FlakyLog


def made(trail: AuditTrail, object_: str = "") -> AuditRecord:
    return record(call=trail.next_call(), object=object_)


def audit_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "audit"]


def test_what_is_added_is_stored_and_signed_within_the_interval(kept: Kept) -> None:
    trail = AuditTrail(kept.log, kept.records, (KEY,), interval=0.05)
    for _ in range(3):
        trail.add(made(trail))
    wait_until(lambda: kept.verify().entries == 3, "the records are stored")
    wait_until(lambda: trail.chain.is_signed, "the head is signed")
    head = kept.records.get("audit-heads", trail.chain.id)
    assert head is not None
    assert head.value["number"] == 3
    trail.close()
    assert trail.written == 3


def test_what_waits_is_stored_and_signed_at_once_with_all_before_it(kept: Kept) -> None:
    trail = AuditTrail(kept.log, kept.records, (KEY,), interval=600)
    trail.add(made(trail, "first"))
    trail.store(made(trail, "second"), signed=True).result(60)
    assert [each["object"] for each in kept.shown()] == ["first", "second"]
    assert trail.chain.is_signed
    trail.close()


def test_nothing_is_opened_or_started_before_the_first_record(kept: Kept) -> None:
    before = audit_threads()
    trail = AuditTrail(kept.log, kept.records, (KEY,))
    trail.flush()
    trail.close()
    assert audit_threads() == before
    assert kept.verify().chains == 0


def test_the_end_stores_what_is_left(kept: Kept) -> None:
    trail = AuditTrail(kept.log, kept.records, (KEY,), interval=600)
    for _ in range(5):
        trail.add(made(trail))
    trail.close()
    assert (kept.verify().entries, kept.damage()) == (5, [])
    assert trail.chain.is_signed
    with pytest.raises(AuditUnavailable):
        trail.next_call()


def test_while_the_store_is_down_records_wait_and_above_the_limit_calls_are_refused(
    kept: Kept, log: FlakyLog, caplog: pytest.LogCaptureFixture
) -> None:
    trail = AuditTrail(kept.log, kept.records, (KEY,), interval=0.05, capacity=5)
    log.error = DOWN
    with caplog.at_level(logging.WARNING):
        with pytest.raises(AuditUnavailable):
            trail.store(made(trail), signed=False).result(60)
        for _ in range(4):
            trail.add(made(trail))
        with pytest.raises(AuditUnavailable) as refused:
            trail.next_call()
        wait_until(lambda: trail.failures > 3, "it was tried again")
    assert refused.value.category == "unavailable"
    assert len(caplog.records) == 1, "a store that stays down is logged once"
    log.error = None
    wait_until(lambda: kept.verify().entries == 5, "the records are stored")
    assert trail.next_call() > 0
    trail.close()
    assert kept.damage() == []


def test_records_that_cannot_be_stored_at_the_end_are_counted_in_the_log(
    kept: Kept, log: FlakyLog, caplog: pytest.LogCaptureFixture
) -> None:
    trail = AuditTrail(kept.log, kept.records, (KEY,), interval=600)
    log.error = DOWN
    trail.add(made(trail))
    with caplog.at_level(logging.ERROR):
        trail.close()
    assert "1 audit records could not be stored and are lost" in caplog.text


def test_a_response_that_was_lost_stores_nothing_twice(kept: Kept, log: FlakyLog) -> None:
    trail = AuditTrail(kept.log, kept.records, (KEY,), interval=600)
    append, log.append = log.append, lambda entries: (append(entries), fail())  # type: ignore[method-assign,func-returns-value,assignment] # stored, then unanswered
    with pytest.raises(AuditUnavailable):
        trail.store(made(trail, "first"), signed=True).result(60)
    log.append = append  # type: ignore[method-assign] # as it was
    trail.store(made(trail, "second"), signed=True).result(60)
    assert [each["object"] for each in kept.shown()] == ["first", "second"]
    assert kept.damage() == []
    trail.close()


def test_a_bug_does_not_end_the_trail(kept: Kept, log: FlakyLog, caplog: pytest.LogCaptureFixture) -> None:
    trail = AuditTrail(kept.log, kept.records, (KEY,), interval=0.05)
    log.error = ZeroDivisionError("secret text")
    with caplog.at_level(logging.ERROR), pytest.raises(AuditUnavailable):
        trail.store(made(trail), signed=True).result(60)
    assert "ZeroDivisionError" in caplog.text
    assert "secret text" not in caplog.text
    log.error = None
    trail.store(made(trail), signed=True).result(60)
    trail.close()
    assert kept.verify().entries == 2


def fail() -> None:
    raise DOWN
