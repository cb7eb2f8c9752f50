"""The counts of searches in the store: of all processes together, for a while, and sealed."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from indexer.library import Library
from indexer.tenancy import TeamId
from mcp_server.search_counts.counts import MAX_MISSED, DayCount, Missed, SearchCounts, counts_of, date_of
from mcp_server.search_counts.keystrokes import Search
from mcp_server.search_counts.search_records import SearchRecords, forget_searches

NOW = 1_800_000_000.0
DAY = 86_400.0
TODAY = date_of(NOW)
KEYS = (b"current", b"earlier")


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def team(library: Library) -> Iterator[TeamId]:
    made = TeamId(f"t{uuid4().hex[:16]}")
    yield made
    forget_searches(library.engine.records, made)


@pytest.fixture
def stored(library: Library, clock: Clock) -> SearchRecords:
    return SearchRecords(library.engine.records, KEYS, clock)


def counts(*texts: str, at: float = NOW) -> SearchCounts:
    """Return the counts of searches without results."""
    return counts_of([Search(TeamId("any"), "", at, text, has_results=False) for text in texts], keep_words=True)


def as_stored(library: Library, team: TeamId) -> str:
    record = library.engine.records.get("searches", team)
    return "" if record is None else str(record.value)


def test_counts_add_up_by_day_and_by_words(stored: SearchRecords, team: TeamId) -> None:
    stored.add(team, counts("sonar", "sonar", "kelp", at=NOW - DAY), keep_words=True)
    stored.add(team, counts("sonar", at=NOW), keep_words=True)
    stored.add(team, SearchCounts({TODAY: DayCount(5, 0)}), keep_words=True)
    assert stored.read(team) == SearchCounts(
        {date_of(NOW - DAY): DayCount(3, 3), TODAY: DayCount(6, 1)},
        {"sonar": Missed(3, NOW), "kelp": Missed(1, NOW - DAY)},
    )


def test_processes_that_store_at_once_lose_nothing(library: Library, team: TeamId, clock: Clock) -> None:
    processes = [SearchRecords(library.engine.records, KEYS, clock) for _ in range(4)]

    def store(number: int) -> None:
        processes[number % 4].add(team, counts("sonar", f"word {number}"), keep_words=True)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(store, range(40)))
    found = processes[0].read(team)
    assert found.days == {TODAY: DayCount(80, 80)}
    assert found.missed["sonar"] == Missed(40, NOW)
    assert len(found.missed) == 41


def test_words_are_sealed_and_left_out_where_they_are_not_wanted(
    library: Library, stored: SearchRecords, team: TeamId
) -> None:
    stored.add(team, counts("kittiwake"), keep_words=True)
    assert "kittiwake" not in as_stored(library, team)
    assert "kittiwake" in stored.read(team).missed
    stored.add(team, counts("puffin"), keep_words=False)
    assert stored.read(team) == SearchCounts({TODAY: DayCount(2, 2)})


def test_words_of_an_earlier_key_are_read_and_those_of_an_unknown_one_are_gone(
    library: Library, team: TeamId, clock: Clock
) -> None:
    records = library.engine.records
    SearchRecords(records, KEYS[1:], clock).add(team, counts("puffin"), keep_words=True)
    SearchRecords(records, KEYS, clock).add(team, counts("kittiwake"), keep_words=True)
    assert set(SearchRecords(records, KEYS[:1], clock).read(team).missed) == {"puffin", "kittiwake"}
    assert SearchRecords(records, (b"unknown",), clock).read(team).missed == {}


def test_a_team_reads_nothing_of_another(stored: SearchRecords, library: Library, team: TeamId) -> None:
    other = TeamId(f"{team}x")
    stored.add(team, counts("kittiwake"), keep_words=True)
    assert stored.read(other) == SearchCounts()
    stored.add(other, counts("puffin"), keep_words=True)
    assert set(stored.read(team).missed) == {"kittiwake"}
    # What is sealed for one team cannot be opened as another's.
    records = library.engine.records
    mine, theirs = records.get("searches", team), records.get("searches", other)
    assert mine is not None
    assert theirs is not None
    records.put_if("searches", other, mine.value, theirs.revision)
    assert stored.read(other).missed == {}
    forget_searches(records, other)


def test_after_ninety_days_nothing_is_returned_and_nothing_kept(
    library: Library, stored: SearchRecords, team: TeamId, clock: Clock
) -> None:
    stored.add(team, counts("kittiwake"), keep_words=True)
    clock.now = NOW + 89 * DAY
    assert stored.read(team).days == {TODAY: DayCount(1, 1)}
    before = as_stored(library, team)
    stored.expire(lambda _: True)
    assert as_stored(library, team) == before
    clock.now = NOW + 90 * DAY
    assert stored.read(team) == SearchCounts()
    stored.expire(lambda _: True)
    assert as_stored(library, team) == str({"days": {}, "sealed": ""})


def test_words_are_removed_once_a_team_keeps_none_any_more(
    library: Library, stored: SearchRecords, team: TeamId
) -> None:
    stored.add(team, counts("kittiwake"), keep_words=True)
    stored.expire(lambda each: each != team)
    assert stored.read(team) == SearchCounts({TODAY: DayCount(1, 1)})
    assert as_stored(library, team).endswith("'sealed': ''}")


def test_of_very_many_words_the_latest_are_kept(stored: SearchRecords, team: TeamId) -> None:
    stored.add(team, counts(*(f"old {number}" for number in range(MAX_MISSED)), at=NOW - DAY), keep_words=True)
    stored.add(team, counts(*(f"new {number}" for number in range(100))), keep_words=True)
    missed = stored.read(team).missed
    assert len(missed) == MAX_MISSED
    assert sum(text.startswith("new") for text in missed) == 100


def test_a_removed_team_leaves_nothing_and_what_was_counted_meanwhile_goes_with_it(
    library: Library, stored: SearchRecords, team: TeamId
) -> None:
    stored.add(team, counts("kittiwake"), keep_words=True)
    forget_searches(library.engine.records, team)
    stored.add(team, counts("puffin"), keep_words=True)
    assert as_stored(library, team) == ""
    # A new team of the same name is counted.
    stored.add(team, counts("gannet"), keep_words=True)
    assert set(stored.read(team).missed) == {"gannet"}
