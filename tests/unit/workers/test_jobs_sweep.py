"""The sweep: whatever was lost between two steps is found and done."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.contract.audit.trails import Kept
from tests.unit.workers.jobs_workplace import (
    TEAM,
    ListedBroker,
    Shelf,
    asked,
    counts,
    do_all,
    do_chunks,
    notes,
    now,
)
from workers.context import WorkerContext
from workers.housekeeping import clean_up
from workers.ingest.steps import run_job
from workers.jobs.jobs import Jobs
from workers.jobs.lease import Lease
from workers.jobs.records import Chunk, ChunkFiles, Tally, chunk_key
from workers.sources.interface import Entry
from workers.sweep import Sweeper, sweep

Put = Callable[[Shelf], Shelf]
PATIENCE = 60.0


def sweep_and_work(context: WorkerContext, broker: ListedBroker) -> None:
    """Sweep, and do what that has queued."""
    sweep(context)
    while broker.jobs:
        run_job(context, broker.jobs.pop(0))
    do_chunks(context, broker)


def test_a_job_that_was_never_queued_is_done(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(2)))
    job = asked(context)
    sweep_and_work(context, broker)
    assert counts(now(context, job)) == (2, 2, 0, 0, 0)


def test_chunks_that_the_queue_lost_are_queued_again(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(2)))
    job = asked(context)
    run_job(context, job.key)
    lost = list(broker.chunks)
    broker.chunks.clear()
    sweep(context)
    assert broker.chunks == lost
    assert broker.jobs == []


def test_what_somebody_works_on_is_not_queued(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(2)))
    planning = asked(context)
    context.jobs.all.change(planning.key, lambda job: replace(job, lease=Lease("other", 1, 1e12)))
    working = asked(context)
    run_job(context, working.key)
    ((_, key),) = broker.chunks
    broker.chunks.clear()
    context.jobs.chunks.change(key, lambda chunk: replace(chunk, lease=Lease("other", 1, 1e12)))
    sweep(context)
    assert (broker.jobs, broker.chunks) == ([], [])


def test_a_chunk_that_was_done_but_not_counted_is_counted_and_the_job_finished(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    put(Shelf(notes(2)))
    job = asked(context)
    run_job(context, job.key)
    ((_, key),) = broker.chunks
    broker.chunks.clear()
    context.jobs.chunks.change(key, lambda chunk: replace(chunk, status="done", result=Tally(indexed=2)))
    sweep_and_work(context, broker)
    assert now(context, job).status == "done"
    assert counts(now(context, job)) == (2, 2, 0, 0, 0)
    assert context.jobs.chunks.list() == []


def test_a_chunk_that_was_counted_but_not_removed_is_not_counted_again(
    context: WorkerContext, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(Shelf(notes(2)))
    job = asked(context)
    run_job(context, job.key)
    counted = Jobs.count_chunk

    def die(jobs: Jobs, key: str, chunk: Chunk) -> None:
        counted(jobs, key, chunk)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Jobs, "count_chunk", die)
        with pytest.raises(KeyboardInterrupt):
            do_chunks(context, broker)
    assert now(context, job).status == "running"
    sweep_and_work(context, broker)
    assert now(context, job).status == "done"
    assert counts(now(context, job)) == (2, 2, 0, 0, 0)


def test_a_finished_job_leaves_no_marks_chunks_or_lists_behind(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    put(Shelf(notes(2)))
    job = do_all(context, broker, asked(context))
    # What a planning leaves that died between two steps.
    context.jobs.files.create(chunk_key(job.key, job.plan, 7), ChunkFiles((Entry("a", "a", 1),)))
    sweep(context)
    assert context.jobs.unfinished.list() == []
    assert context.jobs.files.list() == []
    assert now(context, job) == job


def test_the_chunks_of_a_cancelled_job_are_dropped(context: WorkerContext, put: Put) -> None:
    put(Shelf(notes(2)))
    job = asked(context)
    run_job(context, job.key)
    context.jobs.cancel(TEAM, job.id)
    sweep(context)
    assert context.jobs.chunks.list() == []
    assert context.jobs.files.list() == []
    assert context.jobs.unfinished.list() == []


def test_the_chunks_of_an_older_plan_are_dropped(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(2)))
    job = asked(context)
    run_job(context, job.key)
    old = chunk_key(job.key, 0, 0)
    context.jobs.files.create(old, ChunkFiles((Entry("a", "a", 1),)))
    context.jobs.chunks.create(old, Chunk(plan=0, number=0, revision=1))
    broker.chunks.clear()
    sweep(context)
    assert context.jobs.chunks.get(old) is None
    assert context.jobs.files.get(old) is None
    assert len(broker.chunks) == 1


def test_a_mark_without_a_job_goes_only_after_a_while(context: WorkerContext) -> None:
    job = asked(context)
    context.jobs.all.drop(job.key)
    sweep(context)
    assert len(context.jobs.unfinished.list()) == 1
    context.jobs.unfinished.change(job.key, lambda mark: replace(mark, since=time.time() - 3_600))
    sweep(context)
    assert context.jobs.unfinished.list() == []


def test_old_finished_jobs_are_forgotten_and_unfinished_ones_never(context: WorkerContext) -> None:
    old = asked(context)
    context.jobs.all.change(old.key, lambda job: replace(job.ended("done"), finished_at="2020-01-01T00:00:00.000Z"))
    recent = asked(context)
    context.jobs.all.change(recent.key, lambda job: job.ended("done"))
    waiting = asked(context, created_at="2020-01-01T00:00:00.000Z")
    clean_up(context)
    assert {found.value.id for found in context.jobs.all.list()} == {recent.id, waiting.id}


def test_old_months_of_the_audit_trail_are_removed(context: WorkerContext) -> None:
    engine = context.library.engine
    kept = Kept(engine.audit, engine.records)
    old = kept.written(2, key=context.keys[0], now=lambda: time.time() - 500 * 86_400)
    new = kept.written(3, key=context.keys[0])
    clean_up(context)
    assert (len(kept.entries(old)), len(kept.entries(new))) == (0, 3)
    assert kept.verify(*context.keys).damage == ()


def test_a_sweeper_sweeps_by_itself_and_ends_when_told(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(2)))
    asked(context)
    sweeper = Sweeper(context, lambda: None)
    sweeper.start()
    deadline = time.monotonic() + PATIENCE
    while not broker.jobs:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    sweeper.stop()
    assert not sweeper.is_alive()


def test_jobs_are_started_every_second_and_not_only_with_each_sweep(context: WorkerContext) -> None:
    calls = threading.Semaphore(0)
    sweeper = Sweeper(context, calls.release)
    started = time.monotonic()
    sweeper.start()
    for _ in range(3):
        assert calls.acquire(timeout=PATIENCE)
    assert time.monotonic() - started < context.settings.worker_sweep_seconds
    sweeper.stop()
