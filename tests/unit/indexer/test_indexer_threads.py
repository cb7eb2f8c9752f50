"""Threads for searches: work ends soon after its caller is gone, and cannot hold up what others ask."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from indexer.deadline import TimeLimit
from indexer.errors import TimedOut, Unavailable
from indexer.threads import LONG_AT_ONCE, Check, SearchThreads
from tests.service import wait_until


@pytest.fixture
def threads() -> Iterator[SearchThreads]:
    made = SearchThreads(2)
    yield made
    made.close()


class Endless:
    """Work that ends only because it checks."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.ended = threading.Event()

    def __call__(self, check: Check) -> None:
        self.begun.set()
        try:
            while True:
                check()
        finally:
            self.ended.set()


async def test_work_ends_when_its_caller_is_cancelled(threads: SearchThreads) -> None:
    work = Endless()
    caller = asyncio.create_task(threads.run(work, 60))
    await asyncio.to_thread(work.begun.wait)
    caller.cancel()
    with suppress(asyncio.CancelledError):
        await caller
    assert await asyncio.to_thread(work.ended.wait, 5)
    await asyncio.to_thread(wait_until, lambda: threads.given_up == 0, "the thread is free")


async def test_work_ends_at_its_time_or_at_the_deadline_of_the_request(threads: SearchThreads) -> None:
    first, second = Endless(), Endless()
    with pytest.raises(TimedOut):
        await threads.run(first, 0.05)
    with pytest.raises(TimedOut):
        async with TimeLimit(0.05):
            await threads.run(second, 60)
    assert await asyncio.to_thread(first.ended.wait, 5)
    assert await asyncio.to_thread(second.ended.wait, 5)


async def test_while_abandoned_work_holds_all_threads_new_work_is_refused_at_once(threads: SearchThreads) -> None:
    released = threading.Event()
    for _ in range(threads.size):
        with pytest.raises(TimedOut):
            await threads.run(lambda _: released.wait(60), 0.05)
    assert threads.given_up == threads.size
    before = time.monotonic()
    with pytest.raises(Unavailable) as refused:
        await threads.run(lambda _: 1, 60)
    assert time.monotonic() - before < 1
    assert refused.value.details["retry_after_s"] > 0
    released.set()
    await asyncio.to_thread(wait_until, lambda: threads.given_up == 0, "the threads are free")
    assert await threads.run(lambda _: 1, 60) == 1


async def test_what_has_not_begun_never_begins_once_nobody_waits(threads: SearchThreads) -> None:
    released = threading.Event()
    holding = [asyncio.create_task(threads.run(lambda _: released.wait(60), 60)) for _ in range(threads.size)]
    await asyncio.sleep(0)
    began: list[bool] = []
    with pytest.raises(TimedOut):
        await threads.run(lambda _: began.append(True), 0.05)
    await asyncio.to_thread(wait_until, lambda: threads.given_up == 0, "it waits no more")
    released.set()
    await asyncio.gather(*holding)
    assert await threads.run(lambda _: 2, 60) == 2
    assert began == []


async def test_long_work_does_not_hold_up_short_work(threads: SearchThreads) -> None:
    works = [Endless() for _ in range(2 * threads.size + 2)]
    long = [asyncio.create_task(threads.run(work, 60)) for work in works]
    assert await asyncio.gather(*(threads.run(lambda _: 1, 30) for _ in range(20))) == [1] * 20
    for each in long:
        each.cancel()
    await asyncio.gather(*long, return_exceptions=True)
    await asyncio.to_thread(wait_until, lambda: threads.given_up == 0, "the long work has ended")


async def test_work_that_is_known_to_be_long_leaves_the_threads_to_short_work(threads: SearchThreads) -> None:
    released = threading.Event()
    long = [asyncio.create_task(threads.run(lambda _: released.wait(60), 60, is_long=True)) for _ in range(8)]
    assert await threads.run(lambda _: 1, 30) == 1
    released.set()
    assert all(await asyncio.gather(*long))


async def test_while_abandoned_work_fills_the_long_lane_long_work_is_refused_at_once(threads: SearchThreads) -> None:
    released = threading.Event()
    for _ in range(LONG_AT_ONCE):
        with pytest.raises(TimedOut):
            await threads.run(lambda _: released.wait(60), 0.05, is_long=True)
    with pytest.raises(Unavailable):
        await threads.run(lambda _: 1, 60, is_long=True)
    assert await threads.run(lambda _: 1, 60) == 1
    released.set()


async def test_only_so_much_long_work_waits(threads: SearchThreads) -> None:
    released = threading.Event()
    long = [asyncio.create_task(threads.run(lambda _: released.wait(60), 60, is_long=True)) for _ in range(40)]
    await asyncio.to_thread(wait_until, lambda: any(each.done() for each in long), "some is refused")
    released.set()
    ended = await asyncio.gather(*long, return_exceptions=True)
    assert {type(each) for each in ended} == {bool, Unavailable}


async def test_failures_and_results_reach_the_caller(threads: SearchThreads) -> None:
    def fail(_: Check) -> None:
        raise ValueError("of the work")

    with pytest.raises(ValueError, match="of the work"):
        await threads.run(fail, 60)
    assert await threads.run(lambda check: check() or "found", 60) == "found"
