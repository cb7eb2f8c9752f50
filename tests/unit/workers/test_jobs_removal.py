"""The jobs of a team are stopped before they are removed."""

import time
from collections.abc import Callable
from dataclasses import replace

from indexer.tenancy import TeamId
from tests.unit.workers.jobs_workplace import TEAM, ListedBroker, Shelf, asked, notes, planned_chunks
from workers.context import WorkerContext
from workers.jobs.lease import acquire
from workers.jobs.removal import remove_jobs, stop_jobs, unfinished_jobs

OTHERS = TeamId("others")
Put = Callable[[Shelf], Shelf]


def test_waiting_jobs_are_cancelled_at_once(
    context: WorkerContext, broker: ListedBroker, put: Callable[[Shelf], Shelf]
) -> None:
    put(Shelf(notes(3)))
    job, _ = planned_chunks(context, broker)
    theirs = asked(context, team=OTHERS)
    started = time.monotonic()
    assert unfinished_jobs(context.jobs, TEAM) == [job.id]
    assert stop_jobs(context.jobs, TEAM, patience=10)
    assert time.monotonic() - started < 3
    assert unfinished_jobs(context.jobs, TEAM) == []
    assert unfinished_jobs(context.jobs, OTHERS) == [theirs.id]


def test_a_chunk_that_a_worker_holds_is_waited_for(
    context: WorkerContext, broker: ListedBroker, put: Callable[[Shelf], Shelf]
) -> None:
    put(Shelf(notes(3)))
    _, (key,) = planned_chunks(context, broker)
    held = acquire(context.jobs.chunks, key, "a worker", 1_000, lambda _: True)
    assert held is not None
    assert not stop_jobs(context.jobs, TEAM, patience=0.3)
    context.jobs.chunks.change(key, lambda chunk: replace(chunk, lease=replace(chunk.lease, until=0.0)))
    assert stop_jobs(context.jobs, TEAM, patience=0.3)


def test_all_records_of_a_team_go_and_no_others(
    context: WorkerContext, broker: ListedBroker, put: Callable[[Shelf], Shelf]
) -> None:
    put(Shelf(notes(3)))
    planned_chunks(context, broker)
    asked(context)
    theirs = asked(context, team=OTHERS)
    assert remove_jobs(context.jobs, TEAM) == 2
    assert remove_jobs(context.jobs, TEAM) == 0
    stores = (context.jobs.all, context.jobs.chunks, context.jobs.files, context.jobs.unfinished)
    assert [stored.key for store in stores for stored in store.list()] == [theirs.key, theirs.key]
