"""Counts the searches of callers in memory, and stores the counts in a thread.

A search waits for nothing. It is counted once nobody types on it any more, and stored some seconds later: a process
that is killed loses the counts of its last 15 seconds. While the store is down, counts stay in memory.
"""

import logging
import threading
import time
from collections import defaultdict, deque
from collections.abc import Collection, Mapping
from typing import Any, Final

from indexer.arguments import Arguments
from indexer.connections.connections import Connections
from indexer.errors import PlatformError
from indexer.tenancy import TeamId
from mcp_server.admission import Call
from mcp_server.operation import Operation
from mcp_server.search_counts.counts import DAY_SECONDS, SearchCounts, counts_of
from mcp_server.search_counts.keystrokes import Keystrokes, Search
from mcp_server.search_counts.search_records import SearchRecords
from mcp_server.search_counts.settings import SEARCHES

_log = logging.getLogger(__name__)
_INTERVAL_SECONDS: Final = 5.0
_STOP_SECONDS: Final = 5.0
_MAX_TEXT: Final = 200
_MAX_WAITING: Final = 20_000
"""Searches of one interval; of more, the first ones are not counted."""


class SearchCounter:
    """`admission.Observer`. Nothing is opened or started before the first search."""

    def __init__(
        self,
        records: SearchRecords,
        connections: Connections,
        searches: Collection[Operation[Any, Any]],
        *,
        interval: float = _INTERVAL_SECONDS,
    ) -> None:
        """Take the operations that search; they have a `query` and `results`."""
        self.records = records
        self._connections = connections
        self._searches = frozenset(searches)
        self._interval = interval
        self._waiting: deque[Search] = deque(maxlen=_MAX_WAITING)
        self._keystrokes = Keystrokes()
        self._unstored: dict[TeamId, SearchCounts] = {}
        self._expired_at = float("-inf")
        self._is_failing = False
        self._lock = threading.Lock()
        self._start_lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def observe(self, call: Call, arguments: Arguments, result: Mapping[str, Any]) -> None:
        """Take note of a search by a caller that asks for something, but not of its further pages."""
        if call.operation not in self._searches or call.is_inner:
            return
        # Looking up an attribute that a model lacks takes longer than all the rest.
        given = vars(arguments)
        text = given["query"][:_MAX_TEXT]
        if not text.strip() or given.get("cursor") is not None or given.get("page", 1) != 1:
            return
        principal = call.principal
        self._waiting.append(Search(principal.team, principal.credential, call.at, text, bool(result["results"])))
        if self._thread is None:
            self._start()

    def keeps_words(self, team: TeamId) -> bool:
        """Say whether the words of a team's searches without results are kept."""
        found = self._connections.of(team, SEARCHES)
        return found is not None and found.settings.keep_words

    def flush(self, *, now: float | None = None) -> None:
        """Store what counts by now. What cannot be stored is stored later. Blocking."""
        with self._lock:
            self._count(time.time() if now is None else now)
            self._store()

    def close(self) -> None:
        """Count and store everything, and end. What cannot be stored is lost. Blocking."""
        if self._thread is None:
            return
        self._stopping.set()
        self._thread.join(_STOP_SECONDS)
        self.flush(now=float("inf"))

    def _start(self) -> None:
        with self._start_lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="search counts", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._stopping.wait(self._interval):
            try:
                self.flush()
                self._expire_daily()
            except Exception as error:  # noqa: BLE001 (a bug must not end the thread: nothing would be counted any more)
                _log.error("Counting searches failed: %s", type(error).__name__)

    def _count(self, now: float) -> None:
        settled: defaultdict[TeamId, list[Search]] = defaultdict(list)
        for _ in range(len(self._waiting)):
            search = self._waiting.popleft()
            pushed_out = self._keystrokes.add(search._replace(text=_normalised(search.text)))
            if pushed_out is not None:
                settled[pushed_out.team].append(pushed_out)
        for search in self._keystrokes.settled(now):
            settled[search.team].append(search)
        for team, searches in settled.items():
            counts = counts_of(searches, keep_words=self.keeps_words(team))
            self._unstored[team] = self._unstored.get(team, SearchCounts()).plus(counts)

    def _store(self) -> None:
        try:
            for team, counts in list(self._unstored.items()):
                self.records.add(team, counts, keep_words=self.keeps_words(team))
                del self._unstored[team]
        except PlatformError as error:
            if not self._is_failing:
                _log.warning("Counts of searches cannot be stored, and are stored later: %s", error.category)
            self._is_failing = True
        else:
            self._is_failing = False

    def _expire_daily(self) -> None:
        now = time.monotonic()
        if now - self._expired_at < DAY_SECONDS:
            return
        try:
            self.records.expire(self.keeps_words)
        except PlatformError:
            return  # It is tried again with the next counts.
        self._expired_at = now


def _normalised(text: str) -> str:
    """Return words as they are compared and kept; half a surrogate pair cannot be stored."""
    return " ".join(text.lower().split()).encode("utf-8", "replace").decode()
