"""Chunks that take long or kill their workers: what is done is kept, and one bad file costs no other."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.unit.workers.jobs_workplace import (
    TEAM,
    ListedBroker,
    Shelf,
    after_each_file,
    asked,
    counts,
    do_all,
    do_chunks,
    notes,
    now,
    planned,
    work_chunk,
)
from workers.context import WorkerContext
from workers.ingest.steps import run_job
from workers.jobs.lease import Lease
from workers.jobs.records import Problem, Tally
from workers.sources.interface import Entry

Put = Callable[[Shelf], Shelf]


def test_a_file_that_three_workers_died_of_is_given_up_alone_and_can_be_retried(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    put(Shelf(notes(60), remote=True))
    job = asked(context)
    run_job(context, job.key)
    (_, first), _ = broker.chunks
    for _ in range(3):
        # What is left of a worker that was killed: a counted attempt, and a lease that nobody renews.
        context.jobs.chunks.change(
            first, lambda chunk: replace(chunk, attempts=chunk.attempts + 1, lease=Lease("dead", chunk.attempts, 1.0))
        )
    do_chunks(context, broker)
    done = now(context, job)
    assert done.status == "done"
    assert counts(done) == (60, 59, 0, 0, 1)
    assert done.tally.errors == (Problem("notes/00000.md", "gave up after 3 attempts"),)
    context.jobs.reopen(TEAM, job.id)
    assert counts(do_all(context, broker, job)) == (60, 60, 0, 0, 0)


def test_a_poisonous_file_in_the_middle_is_found_and_everything_around_it_is_indexed(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf(notes(20)))
    job, key = planned(context, broker)

    def fail(entry: Entry) -> None:
        if entry.path == "notes/00007.md":
            raise RuntimeError

    shelf.before_reading = fail
    deaths = 0
    while now(context, job).status == "running":
        try:
            work_chunk(context, key, job.key)
        except RuntimeError:
            deaths += 1
    assert deaths <= 5
    assert counts(now(context, job)) == (20, 19, 0, 0, 1)
    assert now(context, job).tally.errors == (Problem("notes/00007.md", "gave up after 3 attempts"),)


def test_a_chunk_all_of_whose_files_are_poisonous_is_given_up_after_some(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf(notes(40)))
    job, key = planned(context, broker)

    def fail(_entry: Entry) -> None:
        raise RuntimeError

    shelf.before_reading = fail
    deaths = 0
    while now(context, job).status == "running":
        try:
            work_chunk(context, key, job.key)
        except RuntimeError:
            deaths += 1
    assert deaths <= 20
    assert counts(now(context, job)) == (40, 0, 0, 0, 40)


def test_a_worker_goes_on_where_the_one_before_it_died(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    shelf = put(Shelf(notes(60)))
    job, key = planned(context, broker)
    context.jobs.chunks.change(key, lambda chunk: replace(chunk, attempts=1, done=50, result=Tally(indexed=50)))
    reads = shelf.reads
    work_chunk(context, key, job.key)
    assert shelf.reads == reads + 10
    assert counts(now(context, job)) == (60, 60, 0, 0, 0)


def test_a_chunk_gives_way_after_its_slice_while_another_job_waits(
    context: WorkerContext, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(Shelf(notes(10)))
    job, key = planned(context, broker)
    clock = [0.0]
    monkeypatch.setattr("workers.ingest.chunk_run.monotonic", lambda: clock[0])
    monkeypatch.setattr(broker, "others_wait", lambda waiting: waiting == job.key and clock[0] < 20)

    def pass_time(_done: int) -> None:
        clock[0] += 4.0

    after_each_file(monkeypatch, pass_time)
    work_chunk(context, key, job.key)
    assert clock[0] == 12, "after the first file beyond the slice"
    assert [chunk for _, chunk in broker.chunks] == [key]
    work_chunk(context, key, job.key)
    assert clock[0] == 40, "nobody waits any more"
    assert counts(now(context, job)) == (10, 10, 0, 0, 0)


def test_a_chunk_of_slow_files_is_done_in_several_turns(
    context: WorkerContext, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(Shelf(notes(40)))
    job, key = planned(context, broker)
    clock = [0.0]
    monkeypatch.setattr("workers.ingest.chunk_run.monotonic", lambda: clock[0])

    def pass_time(_done: int) -> None:
        clock[0] += 45.0

    after_each_file(monkeypatch, pass_time)
    turns = 0
    while now(context, job).status == "running":
        turns += 1
        work_chunk(context, key, job.key)
    assert turns == 3
    assert [chunk for _, chunk in broker.chunks] == [key, key], "the rest is queued again"
    assert counts(now(context, job)) == (40, 40, 0, 0, 0)
