"""Leases over real SQLite records: one worker at a time, and one that was silent too long is fenced off."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Thread

import pytest

from indexer.engines.tantivy.records import SqliteRecords
from indexer.records import Store
from workers.jobs.lease import HeldLease, Lease, LeaseLost, acquire

LONG = 1_000.0
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Task:
    done: int = 0
    attempts: int = 0
    lease: Lease = field(default_factory=Lease)


@pytest.fixture
def tasks(tmp_path: Path) -> Iterator[Store[Task]]:
    records = SqliteRecords(tmp_path / "records.sqlite3")
    store = Store(records, "tasks", Task)
    store.create("one", Task())
    yield store
    records.close()


def taken(tasks: Store[Task], owner: str = "a", seconds: float = LONG) -> HeldLease[Task]:
    held = acquire(tasks, "one", owner, seconds, lambda _: True)
    assert held is not None
    return held


def stored(tasks: Store[Task]) -> Task:
    found = tasks.get("one")
    assert found is not None
    return found.value


def expire(tasks: Store[Task]) -> None:
    tasks.change("one", lambda task: replace(task, lease=replace(task.lease, until=1.0)))


def add_one(task: Task) -> Task:
    return replace(task, done=task.done + 1)


def test_work_is_taken_by_one_worker_at_a_time(tasks: Store[Task]) -> None:
    taken(tasks)
    assert acquire(tasks, "one", "b", LONG, lambda _: True) is None


def test_work_that_is_gone_or_not_wanted_is_not_taken(tasks: Store[Task]) -> None:
    assert acquire(tasks, "two", "a", LONG, lambda _: True) is None
    assert acquire(tasks, "one", "a", LONG, lambda task: task.done > 0) is None
    assert stored(tasks).attempts == 0


def test_an_attempt_counts_before_any_work_is_done(tasks: Store[Task]) -> None:
    taken(tasks)
    assert stored(tasks).attempts == 1


def test_after_a_lease_ran_out_another_worker_takes_the_work_with_a_higher_token(tasks: Store[Task]) -> None:
    first = taken(tasks)
    expire(tasks)
    second = taken(tasks, "b")
    assert second.token > first.token
    assert stored(tasks).attempts == 2


def test_a_lease_from_before_the_clock_was_set_back_by_hours_holds_up_nobody(
    tasks: Store[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time
    with monkeypatch.context() as clock:
        clock.setattr(time, "time", lambda: now() + 5 * 3_600)
        first = taken(tasks)
    second = taken(tasks, "b")
    assert second.token > first.token


def test_a_lease_from_a_clock_that_is_ahead_by_seconds_counts(
    tasks: Store[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time
    with monkeypatch.context() as clock:
        clock.setattr(time, "time", lambda: now() + 20)
        taken(tasks)
    assert acquire(tasks, "one", "b", LONG, lambda _: True) is None


def test_a_worker_that_lost_its_lease_changes_nothing_any_more(tasks: Store[Task]) -> None:
    first = taken(tasks)
    expire(tasks)
    second = taken(tasks, "b")
    with pytest.raises(LeaseLost):
        first.change(add_one)
    with pytest.raises(LeaseLost):
        first.check()
    second.change(add_one)
    assert stored(tasks).done == 1


def test_a_worker_whose_work_was_removed_has_lost_its_lease(tasks: Store[Task]) -> None:
    held = taken(tasks)
    tasks.drop("one")
    with pytest.raises(LeaseLost):
        held.change(add_one)


def test_changes_by_others_to_the_same_record_are_kept(tasks: Store[Task]) -> None:
    held = taken(tasks)
    tasks.change("one", add_one)
    held.change(add_one)
    assert stored(tasks).done == 2


def test_giving_back_frees_the_work_and_takes_the_attempt_back(tasks: Store[Task]) -> None:
    with taken(tasks) as held:
        held.release_uncounted()
    assert stored(tasks).attempts == 0
    assert not stored(tasks).lease.is_live()


def test_the_end_of_the_block_frees_the_work_and_the_attempt_still_counts(tasks: Store[Task]) -> None:
    def fail() -> None:
        with taken(tasks):
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert stored(tasks).attempts == 1
    assert not stored(tasks).lease.is_live()


def test_being_told_to_stop_does_not_count_as_an_attempt(tasks: Store[Task]) -> None:
    def stop() -> None:
        with taken(tasks):
            raise SystemExit

    with pytest.raises(SystemExit):
        stop()
    assert stored(tasks).attempts == 0
    assert not stored(tasks).lease.is_live()


def test_a_lease_is_renewed_while_the_work_goes_on(tasks: Store[Task]) -> None:
    with taken(tasks, seconds=2.0):
        first = stored(tasks).lease.until
        deadline = time.monotonic() + PATIENCE
        while stored(tasks).lease.until == first:
            assert time.monotonic() < deadline
            time.sleep(0.01)


def test_renewal_notices_that_the_lease_is_lost(tasks: Store[Task]) -> None:
    with taken(tasks, seconds=1.0) as held:
        tasks.change("one", lambda task: replace(task, lease=Lease("b", task.lease.token + 1, time.time() + LONG)))
        deadline = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < deadline
            try:
                held.check()
            except LeaseLost:
                break
            time.sleep(0.01)
    assert stored(tasks).lease.owner == "b"
    assert stored(tasks).lease.is_live()


def test_many_threads_change_one_record_and_no_change_is_lost(tasks: Store[Task]) -> None:
    def work() -> None:
        for _ in range(20):
            tasks.change("one", add_one)

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stored(tasks).done == 80
