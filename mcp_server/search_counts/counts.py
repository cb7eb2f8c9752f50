"""How much a team searched: by day, and what it did not find."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, NamedTuple, Self

from mcp_server.search_counts.keystrokes import Search

DAY_SECONDS: Final = 86_400.0
MAX_MISSED: Final = 500
"""Searches without results that are kept of a team: the latest ones."""


class DayCount(NamedTuple):
    """The searches of one day."""

    searches: int = 0
    without_results: int = 0


class Missed(NamedTuple):
    """How often the same was searched for without results, and when last, in seconds since 1970."""

    searches: int = 0
    last_at: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchCounts:
    """Counts by day, like `2026-07-01`, and searches without results by their text."""

    days: Mapping[str, DayCount] = field(default_factory=dict)
    missed: Mapping[str, Missed] = field(default_factory=dict)

    def plus(self, other: Self) -> "SearchCounts":
        """Return both together."""
        days, missed = dict(self.days), dict(self.missed)
        for day, more in other.days.items():
            count = days.get(day, DayCount())
            days[day] = DayCount(count.searches + more.searches, count.without_results + more.without_results)
        for text, again in other.missed.items():
            before = missed.get(text, Missed())
            missed[text] = Missed(before.searches + again.searches, max(before.last_at, again.last_at))
        return SearchCounts(days, _latest(missed))

    def latest(self, days: int, now: float) -> "SearchCounts":
        """Return the counts of so many days, today included."""
        first = date_of(now - (days - 1) * DAY_SECONDS)
        return SearchCounts(
            {day: count for day, count in self.days.items() if day >= first},
            {text: count for text, count in self.missed.items() if date_of(count.last_at) >= first},
        )


def counts_of(searches: Iterable[Search], *, keep_words: bool) -> SearchCounts:
    """Return the counts of some searches of one team."""
    days: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    missed: dict[str, Missed] = {}
    for search in searches:
        day = days[date_of(search.at)]
        day[0] += 1
        day[1] += not search.has_results
        if keep_words and not search.has_results:
            before = missed.get(search.text, Missed())
            missed[search.text] = Missed(before.searches + 1, max(before.last_at, search.at))
    return SearchCounts({date: DayCount(*numbers) for date, numbers in days.items()}, _latest(missed))


def date_of(seconds: float) -> str:
    """Return the day of a time in UTC."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}"


def _latest(missed: dict[str, Missed]) -> dict[str, Missed]:
    if len(missed) <= MAX_MISSED:
        return missed
    return dict(sorted(missed.items(), key=lambda item: item[1].last_at, reverse=True)[:MAX_MISSED])
