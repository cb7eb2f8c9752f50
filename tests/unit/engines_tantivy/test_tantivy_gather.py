import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from indexer.engines.tantivy.group_commit import GroupCommit
from indexer.errors import Unavailable

PATIENCE = 60
BUSY = "The index is being written to"


class HeldCommit:
    """Commits when it is told to go on, and keeps what it was given."""

    def __init__(self) -> None:
        self.started, self.go_on = threading.Event(), threading.Event()
        self.batches: list[list[int]] = []
        self.allowed: list[float] = []

    def __call__(self, work: Sequence[int], seconds: float) -> list[str]:
        self.batches.append(list(work))
        self.allowed.append(seconds)
        self.started.set()
        assert self.go_on.wait(PATIENCE)
        return [str(one) for one in work]


def test_work_that_comes_alone_is_committed_alone() -> None:
    batches: list[list[int]] = []

    def commit(work: Sequence[int], _: float) -> list[str]:
        batches.append(list(work))
        return [str(one) for one in work]

    group = GroupCommit(commit, PATIENCE, BUSY)
    assert [group.submit(1), group.submit(2)] == ["1", "2"]
    assert batches == [[1], [2]]


def test_work_that_waits_is_committed_together_and_each_caller_gets_its_own_outcome() -> None:
    commit = HeldCommit()
    group = GroupCommit(commit, PATIENCE, BUSY)
    with ThreadPoolExecutor(9) as threads:
        first = threads.submit(group.submit, 0)
        assert commit.started.wait(PATIENCE)
        others = [threads.submit(group.submit, number) for number in range(1, 9)]
        while len(group._queue) < 8:
            threading.Event().wait(0.001)
        commit.go_on.set()
        assert first.result(PATIENCE) == "0"
        assert [other.result(PATIENCE) for other in others] == [str(number) for number in range(1, 9)]
    assert [sorted(batch) for batch in commit.batches] == [[0], list(range(1, 9))]


def test_a_failed_commit_fails_for_its_callers_and_for_nobody_later() -> None:
    def commit(work: Sequence[int], _: float) -> list[str]:
        if 1 in work:
            raise OSError("disk")
        return [str(one) for one in work]

    group = GroupCommit(commit, PATIENCE, BUSY)
    with pytest.raises(OSError, match="disk"):
        group.submit(1)
    assert group.submit(2) == "2"


def test_work_that_no_commit_takes_in_time_is_told_so_and_is_never_committed() -> None:
    commit = HeldCommit()
    group = GroupCommit(commit, 0.05, BUSY)
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(group.submit, 0)
        assert commit.started.wait(PATIENCE)
        with pytest.raises(Unavailable, match="other calls"):
            group.submit(1)
        commit.go_on.set()
        assert first.result(PATIENCE) == "0"
    assert group.submit(2) == "2"
    assert commit.batches == [[0], [2]]


def test_a_commit_may_wait_only_for_what_is_left_of_its_callers_patience() -> None:
    commit = HeldCommit()
    group = GroupCommit(commit, PATIENCE, BUSY)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(group.submit, 0)
        assert commit.started.wait(PATIENCE)
        second = threads.submit(group.submit, 1)
        while not group._queue:
            threading.Event().wait(0.001)
        threading.Event().wait(0.05)
        commit.go_on.set()
        assert (first.result(PATIENCE), second.result(PATIENCE)) == ("0", "1")
    assert commit.allowed[1] <= PATIENCE - 0.05 < commit.allowed[0]
