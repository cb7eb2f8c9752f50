"""Which calls are recorded, when, and how they are bounded."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from indexer.audit.reading import AuditEntry
from indexer.audit.trail import AuditUnavailable
from indexer.engines.audit_port import LogFilter
from indexer.errors import NotFound
from indexer.tenancy import Principal, TeamId
from mcp_server.access.scopes import InsufficientScope
from mcp_server.admission import Admission, Call
from mcp_server.audit import call_audit
from mcp_server.audit.call_audit import CallAudit
from mcp_server.features.account.operations import OPERATIONS
from mcp_server.operation import Operation
from tests.contract.audit.calling_process import CALLER, READ, WRITE
from tests.contract.audit.trails import Kept
from tests.unit.audit.conftest import FlakyLog, make_audit

ADMIN = Principal(TeamId("red"), "bob", frozenset({"admin"}), credential="t_2")
LIST_TOKENS = next(operation for operation in OPERATIONS if operation.name == "token_list")


async def call(
    admission: Admission, operation: Operation[Any, Any] = READ, principal: Principal = CALLER, object_: str = ""
) -> None:
    async with admission.call(operation, principal) as made:
        made.object = object_
        await admission.begin(made)


async def fail(admission: Admission, operation: Operation[Any, Any], within: Callable[[Call], object]) -> None:
    async with admission.call(operation, CALLER) as made:
        await admission.begin(made)
        within(made)
        raise NotFound("none", action="none")


def outcomes(audit: CallAudit, kept: Kept) -> list[tuple[str, str]]:
    audit.trail.flush()
    return [(each["operation"], each["outcome"]) for each in kept.shown()]


async def test_callers_without_a_credential_are_not_recorded(audit: CallAudit, kept: Kept) -> None:
    nobody = Principal(TeamId("main"), "anonymous", frozenset({"search", "write"}))
    await call(Admission(audit=audit), WRITE, nobody)
    await call(Admission(audit=audit), READ, nobody)
    assert outcomes(audit, kept) == []


async def test_calls_within_a_call_are_part_of_it(audit: CallAudit, kept: Kept) -> None:
    admission = Admission(audit=audit)

    inner: list[bool] = []

    async def call_within() -> None:
        with pytest.raises(NotFound):
            await fail(admission, READ, lambda made: inner.append(made.is_inner))

    async with admission.call(READ, CALLER) as made:
        assert not made.is_inner
        await asyncio.gather(call_within(), asyncio.create_task(call_within()))
    assert inner == [True, True]
    await call(admission, READ)
    assert outcomes(audit, kept) == [("search_index", "ok")] * 2


async def test_reads_wait_for_nothing_and_changes_and_administration_for_their_record(
    audit: CallAudit, kept: Kept, log: FlakyLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_audit, "_WAIT_SECONDS", 0.05)
    admission = Admission(audit=audit)
    log.may_go_on.clear()
    await call(admission, READ)
    with pytest.raises(AuditUnavailable, match="was refused"):
        await call(admission, WRITE, object_="never ran")
    with pytest.raises(call_audit.NotRecorded, match="carried out"):
        await call(admission, LIST_TOKENS, ADMIN)
    log.may_go_on.set()
    assert sorted(outcomes(audit, kept)) == [
        ("search_add_document", "unavailable"),
        ("search_index", "ok"),
        ("token_list", "ok"),
    ]


async def test_a_failed_change_is_recorded_before_its_failure_is_told(audit: CallAudit, kept: Kept) -> None:
    meanwhile: list[AuditEntry] = []
    with pytest.raises(NotFound):
        await fail(Admission(audit=audit), WRITE, lambda _: meanwhile.extend(kept.shown()))
    assert [each["outcome"] for each in meanwhile] == ["unknown"]
    assert [each["outcome"] for each in kept.shown()] == ["not_found"]


async def test_a_cancelled_call_and_a_bug_are_recorded_as_such(audit: CallAudit, kept: Kept) -> None:
    admission = Admission(audit=audit)
    begun = asyncio.Event()

    async def hang() -> None:
        async with admission.call(WRITE, CALLER) as made:
            await admission.begin(made)
            begun.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(hang())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(ZeroDivisionError):
        async with admission.call(READ, CALLER):
            raise ZeroDivisionError
    assert outcomes(audit, kept) == [("search_add_document", "cancelled"), ("search_index", "error")]


async def test_refusals_are_recorded_up_to_a_bound_and_then_counted(kept: Kept) -> None:
    now = [1_000.0]
    audit = make_audit(kept, lambda: now[0])
    other = Principal(TeamId("blue"), "eve", frozenset(), credential="t_9")
    for _ in range(25):
        audit.authentication_failed("probe", "192.0.2.1")
        for principal in (Principal(TeamId("red"), "ada", frozenset(), credential="t_8"), other):
            with pytest.raises(InsufficientScope):
                await call(Admission(audit=audit), WRITE, principal)
    now[0] += 61
    audit.authentication_failed("probe", "192.0.2.1")
    audit.close()
    failed = kept.shown(LogFilter(team=""))
    assert len(failed) == 12
    assert failed[10]["object"] == "15 more in a minute"
    assert (failed[0]["client"], failed[0]["address"]) == ("probe", "192.0.2.1")
    for team in ("red", "blue"):
        refused = kept.shown(LogFilter(team=team))
        assert [each["outcome"] for each in refused] == ["authorization"] * 11
        assert "15 more in a minute" in {each["object"] for each in refused}


async def test_calls_are_refused_before_they_run_while_no_more_records_fit(kept: Kept) -> None:
    audit = make_audit(kept, capacity=3, interval=600)
    admission = Admission(audit=audit)
    for _ in range(3):
        await call(admission, READ)
    with pytest.raises(AuditUnavailable):
        await call(admission, READ)
    audit.authentication_failed("probe", "192.0.2.1")
    assert audit.trail.failures > 0
    audit.close()
    assert kept.verify().entries == 3
