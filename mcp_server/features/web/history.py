"""The history of a team's web searches, stored in the engine for the teams that enabled it."""

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from indexer.engines.record_port import Record, Records
from indexer.errors import PlatformError
from indexer.schema.dates import format_utc
from indexer.tenancy import TeamId
from mcp_server.features.web.results import PastSearch, PastSource, WebResult
from mcp_server.features.web.settings import WebSettings

_log = logging.getLogger(__name__)
_KIND: Final = "web-history"
_ID: Final = re.compile(r"[0-9]{13}-[0-9a-f]{8}")
_MAX_ENTRIES: Final = 1_000
_SWEEP_SECONDS: Final = 3_600.0


class History:
    """Stores one record per search, with its time in the key. Without an engine nothing is stored."""

    def __init__(self, settings: WebSettings, records: Records | None, now: Callable[[], float] = time.time) -> None:
        self._teams = frozenset(settings.history)
        self._retention_seconds = settings.history_days * 86_400
        self._records = records
        self._now = now
        self._swept_at: dict[str, float] = {}

    def is_enabled(self, team: str) -> bool:
        """Return whether the history of this team is stored."""
        return self._records is not None and team in self._teams

    async def add(self, team: str, query: str, result: WebResult) -> None:
        """Store a search; a failure is logged and does not fail the search."""
        if self._records is None or not self.is_enabled(team):
            return
        now = self._now()
        key = f"{team}/{round(now * 1_000):013d}-{secrets.token_hex(4)}"
        sources = [PastSource(url=source["url"], title=source["title"]) for source in result["citations"]]
        try:
            await asyncio.to_thread(self._records.put_if, _KIND, key, {"query": query, "sources": sources}, None)
            if now - self._swept_at.get(team, 0.0) >= _SWEEP_SECONDS:
                self._swept_at[team] = now
                await asyncio.to_thread(self._delete_expired, team)
        except PlatformError as error:
            _log.warning("A web search could not be kept: %s", error.category)

    async def entries(self, team: str) -> list[PastSearch]:
        """Return a team's searches, newest first."""
        return [_past_search(record) for record in await asyncio.to_thread(self._unexpired, team)]

    async def delete(self, team: str, ids: Sequence[str] | None) -> int:
        """Delete a team's searches by their ids, or all of them; return how many were deleted."""
        return await asyncio.to_thread(
            lambda: self._delete(self._list(team) if ids is None else self._get_by_ids(team, ids))
        )

    def _list(self, team: str) -> list[Record]:
        return self._records.list(_KIND, f"{team}/") if self._records is not None else []

    def _get_by_ids(self, team: str, ids: Sequence[str]) -> list[Record]:
        if self._records is None:
            return []
        keys = [f"{team}/{id_}" for id_ in dict.fromkeys(ids) if _ID.fullmatch(id_)]
        return [record for record in self._records.get_many(_KIND, keys) if record is not None]

    def _unexpired(self, team: str) -> list[Record]:
        since = self._now() - self._retention_seconds
        return [record for record in reversed(self._list(team)) if _timestamp(record) >= since][:_MAX_ENTRIES]

    def _delete_expired(self, team: str) -> None:
        unexpired = {record.key for record in self._unexpired(team)}
        self._delete([record for record in self._list(team) if record.key not in unexpired])

    def _delete(self, records: Sequence[Record]) -> int:
        return self._records.delete_many(_KIND, records) if self._records is not None else 0


def forget_history(records: Records, team: TeamId) -> Mapping[str, int]:
    """Remove a team's stored searches, also if its history is off by now; return how many there were. Blocking."""
    return {"web_searches": records.delete_many(_KIND, records.list(_KIND, f"{team}/"))}


def _id(record: Record) -> str:
    return record.key.rpartition("/")[2]


def _timestamp(record: Record) -> float:
    return int(_id(record).partition("-")[0]) / 1_000


def _past_search(record: Record) -> PastSearch:
    asked_at = format_utc(datetime.fromtimestamp(_timestamp(record), UTC), "seconds")
    return PastSearch(
        id=_id(record), query=record.value["query"], asked_at=asked_at, sources=list(record.value["sources"])
    )
