import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from indexer.engines.tantivy.group_commit import GroupCommit

PATIENCE = 60


def test_work_that_comes_alone_is_committed_alone() -> None:
    batches: list[list[int]] = []

    def commit(work: Sequence[int]) -> list[str]:
        batches.append(list(work))
        return [str(one) for one in work]

    group = GroupCommit(commit)
    assert [group.submit(1), group.submit(2)] == ["1", "2"]
    assert batches == [[1], [2]]


def test_work_that_waits_is_committed_together_and_each_caller_gets_its_own_outcome() -> None:
    started, go_on = threading.Event(), threading.Event()
    batches: list[list[int]] = []

    def commit(work: Sequence[int]) -> list[str]:
        batches.append(list(work))
        started.set()
        assert go_on.wait(PATIENCE)
        return [str(one) for one in work]

    group = GroupCommit(commit)
    with ThreadPoolExecutor(9) as threads:
        first = threads.submit(group.submit, 0)
        assert started.wait(PATIENCE)
        others = [threads.submit(group.submit, number) for number in range(1, 9)]
        while len(group._queue) < 8:
            threading.Event().wait(0.001)
        go_on.set()
        assert first.result(PATIENCE) == "0"
        assert [other.result(PATIENCE) for other in others] == [str(number) for number in range(1, 9)]
    assert [sorted(batch) for batch in batches] == [[0], list(range(1, 9))]


def test_a_failed_commit_fails_for_its_callers_and_for_nobody_later() -> None:
    def commit(work: Sequence[int]) -> list[str]:
        if 1 in work:
            raise OSError("disk")
        return [str(one) for one in work]

    group = GroupCommit(commit)
    with pytest.raises(OSError, match="disk"):
        group.submit(1)
    assert group.submit(2) == "2"
