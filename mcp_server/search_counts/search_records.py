"""Stores the counts of searches: one record per team, changed by all processes by compare-and-set."""

import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import orjson

from indexer.engines.record_port import Records
from indexer.records import Store
from indexer.tenancy import TeamId
from mcp_server.search_counts.counts import DayCount, Missed, SearchCounts
from mcp_server.upstream.sealing import Sealer

DAYS_KEPT: Final = 90
_KIND: Final = "searches"
_PURPOSE: Final = b"trawl searches"


@dataclass(frozen=True, slots=True)
class TeamSearches:
    """The record of a team."""

    days: dict[str, DayCount] = field(default_factory=dict)
    sealed: str = ""
    """What was not found, sealed, in Base64; empty for nothing."""


class SearchRecords:
    """The counts of all teams. Blocking. What is older than 90 days is neither returned nor kept."""

    def __init__(self, records: Records, keys: tuple[bytes, ...], now: Callable[[], float] = time.time) -> None:
        """Take the service's secret keys, the current one first."""
        self._store = Store(records, _KIND, TeamSearches)
        self._sealers = [Sealer(key, _PURPOSE) for key in keys]
        self._now = now
        self._known: set[TeamId] = set()

    def read(self, team: TeamId) -> SearchCounts:
        """Return what is stored of a team."""
        stored = self._store.get(team)
        return SearchCounts() if stored is None else self._kept(self._opened(team, stored.value))

    def add(self, team: TeamId, counts: SearchCounts, *, keep_words: bool) -> None:
        """Add to what is stored; if the answer to a write is lost, counts may be added twice.

        A record that was there and is gone was removed with its team: what was counted meanwhile goes with it.
        """
        while True:
            stored = self._store.get(team)
            if stored is None and team in self._known:
                self._known.remove(team)
                return
            before = SearchCounts() if stored is None else self._opened(team, stored.value)
            value = self._closed(team, self._kept(before.plus(counts)), keep_words=keep_words)
            if self._store.create(team, value) if stored is None else self._store.replace(stored, value):
                self._known.add(team)
                return

    def expire(self, keeps_words: Callable[[TeamId], bool]) -> None:
        """Remove what is too old, and the words of teams that keep none any more. A team's record itself stays."""
        for stored in self._store.list():
            team = TeamId(stored.key)
            counts = self._opened(team, stored.value)
            kept, has_words = self._kept(counts), bool(stored.value.sealed)
            if kept != counts or (has_words and not keeps_words(team)):
                # Whoever changes the record meanwhile removes the same.
                self._store.replace(stored, self._closed(team, kept, keep_words=keeps_words(team)))

    def _kept(self, counts: SearchCounts) -> SearchCounts:
        return counts.latest(DAYS_KEPT, self._now())

    def _closed(self, team: TeamId, counts: SearchCounts, *, keep_words: bool) -> TeamSearches:
        if not keep_words or not counts.missed:
            return TeamSearches(dict(counts.days))
        raw = orjson.dumps({text: tuple(missed) for text, missed in counts.missed.items()})
        return TeamSearches(dict(counts.days), b64encode(self._sealers[0].seal(raw, team)).decode())

    def _opened(self, team: TeamId, value: TeamSearches) -> SearchCounts:
        """Return what a record holds; without words if they were sealed with a key that is gone."""
        sealed = b64decode(value.sealed)
        opened = (sealer.open(sealed, team) for sealer in self._sealers)
        raw = next((each for each in opened if each is not None), b"{}")
        return SearchCounts(value.days, {text: Missed(*missed) for text, missed in orjson.loads(raw).items()})


def forget_searches(records: Records, team: TeamId) -> Mapping[str, int]:
    """Remove the counts of a team's searches, which are not worth telling. Blocking.

    Those of its last 15 seconds may come back, from a process that had stored nothing of the team before.
    """
    Store(records, _KIND, TeamSearches).drop(team)
    return {}
