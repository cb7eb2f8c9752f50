"""Job tasks in threads: a few of a team at a time, none holds up another, and all end when told."""

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


def test_long_plans_hold_up_neither_a_job_of_their_team_nor_together_the_job_of_another(
    context: WorkerContext, broker: ListedBroker, put: Put, lanes: JobLanes
) -> None:
    shelf = put(Shelf(notes(2)))
    held: list[threading.Event] = []

    def hold_the_first_two(_number: int) -> None:
        if len(held) < 2:
            held.append(threading.Event())
            held[-1].wait(PATIENCE)

    shelf.before_listing = hold_the_first_two
    long, small = [asked(context), asked(context)], asked(context)
    broker.jobs += [job.key for job in long]
    lanes.fill()
    wait_for(lambda: len(held) == 2)
    broker.jobs.append(small.key)
    lanes.fill()
    wait_for(lambda: now(context, small).phase == "working")
    assert [now(context, job).phase for job in long] == ["planning", "planning"]
    for event in held:
        event.set()


def test_a_team_with_many_long_plans_leaves_room_for_another_team(
    context: WorkerContext, broker: ListedBroker, put: Put, lanes: JobLanes
) -> None:
    shelf = put(Shelf(notes(2)))
    is_open = threading.Event()
    listing: set[int] = set()

    def hold(_number: int) -> None:
        if not is_open.is_set():
            listing.add(threading.get_ident())
            is_open.wait(PATIENCE)

    shelf.before_listing = hold
    long = [asked(context) for _ in range(20)]
    broker.jobs += [job.key for job in long]
    lanes.fill()
    wait_for(lambda: len(listing) == 3)
    other = asked(context, team=OTHERS)
    broker.jobs.append(other.key)
    lanes.fill()
    wait_for(lambda: len(listing) == 4)
    assert len(broker.jobs) == 17, "a team has three at a time"
    is_open.set()
    wait_for(lambda: all(now(context, job).phase == "working" for job in (*long, other)))


def test_a_job_that_is_queued_again_while_it_ends_is_run_again(
    context: WorkerContext, broker: ListedBroker, put: Put, lanes: JobLanes, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(Shelf(notes(1)))
    job = asked(context)
    runs: list[str] = []

    def run(_context: WorkerContext, key: str, _stopping: threading.Event) -> None:
        runs.append(key)
        if len(runs) == 1:
            broker.jobs.append(key)
            lanes.fill()

    monkeypatch.setattr("workers.job_lanes.run_job", run)
    broker.jobs.append(job.key)
    lanes.fill()
    wait_for(lambda: not lanes._running)
    assert runs == [job.key, job.key]


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
