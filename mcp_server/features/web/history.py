"""What a team searched the web for: kept only for teams that asked for it, in the engine, for that team alone."""

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from indexer.engines.port import Record, Records
from indexer.errors import PlatformError
from mcp_server.features.web.results import PastSearch, PastSource, WebResult
from mcp_server.features.web.settings import WebSettings

_log = logging.getLogger(__name__)
_KIND: Final = "web-history"
_ID: Final = re.compile(r"[0-9]{13}-[0-9a-f]{8}")
_MOST: Final = 1_000
_SWEEP_SECONDS: Final = 3_600.0


class History:
    """Entries are named by the moment of the search. Without an engine to keep them in, nothing is kept."""

    def __init__(self, settings: WebSettings, records: Records | None, now: Callable[[], float] = time.time) -> None:
        self._teams = frozenset(settings.history)
        self._seconds = settings.history_days * 86_400
        self._records = records
        self._now = now
        self._swept: dict[str, float] = {}

    def keeps(self, team: str) -> bool:
        """Say whether this team asked for it."""
        return self._records is not None and team in self._teams

    async def add(self, team: str, query: str, result: WebResult) -> None:
        """Keep a search; where that fails the search itself is none the worse."""
        if self._records is None or not self.keeps(team):
            return
        moment = self._now()
        key = f"{team}/{round(moment * 1_000):013d}-{secrets.token_hex(4)}"
        sources = [PastSource(url=source["url"], title=source["title"]) for source in result["citations"]]
        try:
            await asyncio.to_thread(self._records.put_if, _KIND, key, {"query": query, "sources": sources}, None)
            if moment - self._swept.get(team, 0.0) >= _SWEEP_SECONDS:
                self._swept[team] = moment
                await asyncio.to_thread(self._sweep, team)
        except PlatformError as error:
            _log.warning("A web search could not be kept: %s", error.category)

    async def entries(self, team: str) -> list[PastSearch]:
        """Return a team's searches, newest first."""
        return [_entry(record) for record in await asyncio.to_thread(self._fresh, team)]

    async def delete(self, team: str, ids: Sequence[str] | None) -> int:
        """Delete a team's searches by their ids, or all of them; return how many there were."""
        return await asyncio.to_thread(lambda: self._delete(self._all(team) if ids is None else self._some(team, ids)))

    def _all(self, team: str) -> list[Record]:
        return self._records.list(_KIND, f"{team}/") if self._records is not None else []

    def _some(self, team: str, ids: Sequence[str]) -> list[Record]:
        if self._records is None:
            return []
        found = (self._records.get(_KIND, f"{team}/{name}") for name in dict.fromkeys(ids) if _ID.fullmatch(name))
        return [record for record in found if record is not None]

    def _fresh(self, team: str) -> list[Record]:
        since = self._now() - self._seconds
        return [record for record in reversed(self._all(team)) if _moment(record) >= since][:_MOST]

    def _sweep(self, team: str) -> None:
        kept = {record.key for record in self._fresh(team)}
        self._delete([record for record in self._all(team) if record.key not in kept])

    def _delete(self, records: Sequence[Record]) -> int:
        if self._records is None:
            return 0
        return sum(self._records.delete_if(_KIND, record.key, record.revision) for record in records)


def _id(record: Record) -> str:
    return record.key.rpartition("/")[2]


def _moment(record: Record) -> float:
    return int(_id(record).partition("-")[0]) / 1_000


def _entry(record: Record) -> PastSearch:
    asked_at = datetime.fromtimestamp(_moment(record), UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return PastSearch(
        id=_id(record), query=record.value["query"], asked_at=asked_at, sources=list(record.value["sources"])
    )
