"""The queue: teams are served in turn, and within a team its jobs, and nothing waits in it twice."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
import redis

from workers.fair_queue import FairQueue, team_of


@pytest.fixture
def queue(redis_url: str) -> Iterator[FairQueue]:
    with redis.Redis.from_url(redis_url) as client:
        yield FairQueue(client, uuid4().hex)


def push(queue: FairQueue, *keys: str) -> None:
    for key in keys:
        assert queue.push(key)


def drain(queue: FairQueue) -> list[str]:
    keys = []
    while (key := queue.pop()) is not None:
        keys.append(key)
    return keys


def test_a_team_gets_its_entries_in_the_order_in_which_it_queued_them(queue: FairQueue) -> None:
    push(queue, "a/1", "a/2", "a/3")
    assert drain(queue) == ["a/1", "a/2", "a/3"]
    assert drain(queue) == []


def test_one_entry_of_a_team_waits_for_one_turn_of_each_other_team_and_not_for_all_they_queued(
    queue: FairQueue,
) -> None:
    push(queue, *(f"a/{number}" for number in range(1_000)), *(f"b/{number}" for number in range(10)), "c/1")
    assert [team_of(key) for key in drain(queue)[:4]] == ["a", "b", "c", "a"]


def test_a_team_that_queues_again_after_each_turn_does_not_starve_the_others(queue: FairQueue) -> None:
    push(queue, "a/1", "a/2", "a/3", "b/1")
    served = []
    for _ in range(6):
        key = queue.pop()
        assert key is not None
        served.append(team_of(key))
        if team_of(key) == "b":
            push(queue, "b/1")
    assert served == ["a", "b", "a", "b", "a", "b"]


def test_what_waits_already_is_not_queued_a_second_time_and_can_be_after_it_was_taken(queue: FairQueue) -> None:
    push(queue, "a/1")
    assert not queue.push("a/1")
    assert len(queue) == 1
    assert drain(queue) == ["a/1"]
    assert len(queue) == 0
    push(queue, "a/1")
    assert drain(queue) == ["a/1"]


def test_teams_that_are_passed_over_keep_their_turn(queue: FairQueue) -> None:
    push(queue, "a/1", "b/1", "c/1", "a/2")
    assert queue.pop(["a", "b"]) == "c/1"
    assert queue.pop(["a", "b"]) is None
    assert drain(queue) == ["a/1", "b/1", "a/2"]


def test_jobs_of_a_team_take_turns_however_many_chunks_one_of_them_has(queue: FairQueue) -> None:
    push(queue, *(f"a/large/1.{number}" for number in range(5)), "a/small/1.0", "b/job/1.0")
    order = ["a/large/1.0", "b/job/1.0", "a/small/1.0", "a/large/1.1", "a/large/1.2", "a/large/1.3", "a/large/1.4"]
    assert drain(queue) == order


def test_what_a_job_queues_again_after_its_turn_waits_behind_the_other_jobs_of_its_team(queue: FairQueue) -> None:
    push(queue, "a/slow/1.0", "a/one/1.0", "a/two/1.0")
    assert queue.pop() == "a/slow/1.0"
    push(queue, "a/slow/1.0")
    assert drain(queue) == ["a/one/1.0", "a/two/1.0", "a/slow/1.0"]


def test_others_wait_only_while_another_job_has_an_entry(queue: FairQueue) -> None:
    push(queue, "a/1/1.0", "a/1/1.1")
    assert not queue.has_others("a/1")
    assert queue.has_others("a/2")
    assert queue.has_others("b/1")
    push(queue, "a/2/1.0")
    assert queue.has_others("a/1")
    assert [queue.pop(), queue.pop()] == ["a/1/1.0", "a/2/1.0"]
    assert not queue.has_others("a/1")
    push(queue, "b/1/1.0")
    assert queue.has_others("a/1")
