"""A request that runs is checked again and again, and ended when it is refused."""

import asyncio

import pytest

from app.http.middleware import withdrawal
from app.http.middleware.withdrawal import run_while_allowed
from indexer.errors import Authentication, Unavailable

REVOKED = Authentication("revoked", action="")


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(withdrawal, "_INTERVAL_SECONDS", 0)


async def for_ever() -> None:
    await asyncio.Event().wait()


async def refuse() -> None:
    raise REVOKED


async def test_a_refused_request_is_cancelled_and_its_failure_returned() -> None:
    task = asyncio.current_task()
    assert task is not None
    assert await run_while_allowed(for_ever, refuse) is REVOKED
    assert task.cancelling() == 0
    await asyncio.sleep(0)


async def test_a_request_that_ends_in_time_is_not_disturbed() -> None:
    checks = []

    async def check() -> None:
        checks.append(1)

    async def work() -> None:
        while len(checks) < 3:  # noqa: ASYNC110 - the checks are what is waited for
            await asyncio.sleep(0)

    assert await run_while_allowed(work, check) is None
    count = len(checks)
    for _ in range(5):
        await asyncio.sleep(0)
    assert len(checks) == count, "an ended request is still checked"


async def test_records_that_cannot_be_read_withdraw_nothing() -> None:
    checks = []

    async def check() -> None:
        checks.append(1)
        raise REVOKED if len(checks) > 3 else Unavailable("away", action="")

    assert await run_while_allowed(for_ever, check) is REVOKED
    assert len(checks) == 4


async def test_work_that_ignores_its_cancellation_leaves_nothing_behind() -> None:
    async def work() -> None:
        try:
            await for_ever()
        except asyncio.CancelledError:
            return

    task = asyncio.current_task()
    assert task is not None
    assert await run_while_allowed(work, refuse) is REVOKED
    assert task.cancelling() == 0


async def test_a_cancellation_by_others_goes_on() -> None:
    async def allow() -> None:
        pass

    running = asyncio.create_task(run_while_allowed(for_ever, allow))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_a_failure_of_the_work_itself_goes_on() -> None:
    async def fail() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await run_while_allowed(fail, refuse)
