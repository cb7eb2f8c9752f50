from concurrent.futures import ThreadPoolExecutor

from indexer.index.revisions import RevisionClock, now_microseconds


def test_revisions_follow_the_clock() -> None:
    before = now_microseconds()
    revision = RevisionClock().next()
    assert before <= revision <= now_microseconds()


def test_revisions_rise_while_the_clock_stands_still_or_goes_back() -> None:
    times = iter([100, 100, 50, 200])
    clock = RevisionClock(lambda: next(times))
    assert [clock.next() for _ in range(4)] == [100, 101, 102, 200]


def test_a_revision_is_above_the_one_it_lost_against_without_spreading_a_wrong_clock() -> None:
    clock = RevisionClock(lambda: 100)
    assert clock.next(above=10_000) == 10_001
    assert clock.next() < 10_000


def test_threads_never_get_the_same_revision() -> None:
    clock = RevisionClock(lambda: 1)
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda _: clock.next(), range(2_000)))
    assert len(set(given)) == 2_000
