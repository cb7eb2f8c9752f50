"""Job tasks in threads: one of a team at a time, none holds up another team's, and all end when told."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import pytest

from indexer.tenancy import TeamId
from tests.unit.workers.jobs_workplace import ListedBroker, Shelf, asked, notes, now
from workers.context import WorkerContext
from workers.fair_queue import team_of
from workers.job_lanes import JobLanes

PATIENCE = 60.0
OTHERS = TeamId("others")
Put = Callable[[Shelf], Shelf]


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def lanes(context: WorkerContext, broker: ListedBroker, monkeypatch: pytest.MonkeyPatch) -> Iterator[JobLanes]:
    def next_job(passed_over: Iterable[str] = ()) -> str | None:
        for key in broker.jobs:
            if team_of(key) not in set(passed_over):
                broker.jobs.remove(key)
                return key
        return None

    monkeypatch.setattr(broker, "next_job", next_job)
    context.open()
    opened = JobLanes(context)
    yield opened
    opened.stop()


def test_a_long_plan_of_one_team_does_not_hold_up_the_job_of_another(
    context: WorkerContext, broker: ListedBroker, put: Put, lanes: JobLanes
) -> None:
    shelf = put(Shelf(notes(2)))
    is_listing, goes_on = threading.Event(), threading.Event()

    def hold_the_first(_number: int) -> None:
        if not is_listing.is_set():
            is_listing.set()
            goes_on.wait(PATIENCE)

    shelf.before_listing = hold_the_first
    long, queued = asked(context), asked(context)
    broker.jobs += [long.key, queued.key]
    lanes.fill()
    assert is_listing.wait(PATIENCE)
    small = asked(context, team=OTHERS)
    broker.jobs.append(small.key)
    lanes.fill()
    wait_for(lambda: now(context, small).phase == "working")
    assert now(context, long).phase == "planning"
    assert broker.jobs == [queued.key], "a team has one at a time"
    goes_on.set()
    wait_for(lambda: now(context, queued).phase == "working")
    assert now(context, long).phase == "working"


def test_a_job_that_is_interrupted_is_released_and_its_attempt_does_not_count(
    context: WorkerContext, broker: ListedBroker, put: Put, lanes: JobLanes
) -> None:
    shelf = put(Shelf(notes(2)))
    is_listing, stopping = threading.Event(), threading.Event()

    def wait_until_told(_number: int) -> None:
        is_listing.set()
        stopping.wait(PATIENCE)

    shelf.before_listing = wait_until_told
    job = asked(context)
    broker.jobs.append(job.key)
    lanes.fill()
    assert is_listing.wait(PATIENCE)
    stopper = threading.Thread(target=lanes.stop)
    stopper.start()
    wait_for(lanes._stopping.is_set)
    stopping.set()
    stopper.join(PATIENCE)
    left = now(context, job)
    assert (left.status, left.phase, left.attempts, left.lease.is_live()) == ("running", "planning", 0, False)
    assert broker.chunks == []


def test_a_bug_with_one_job_does_not_stop_the_next_one(
    context: WorkerContext, broker: ListedBroker, put: Put, lanes: JobLanes
) -> None:
    put(Shelf(notes(1)))
    bad, good = asked(context), asked(context)
    context.jobs.all.change(bad.key, lambda job: replace(job, source={"type": "unheard of"}))
    broker.jobs += [bad.key, good.key]
    lanes.fill()
    wait_for(lambda: now(context, good).phase == "working")
