"""Verifies Trawl's own tokens."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from app.auth.recent_lookups import RecentLookups
from indexer.errors import PlatformError
from indexer.schema.dates import format_utc, moment
from mcp_server.access.token_format import is_well_formed, token_digest
from mcp_server.access.token_store import TokenRecord, TokenStore

_NOTE_SECONDS: Final = 60


class TokenVerifier:
    """Looks tokens up, and remembers each for less than a second."""

    def __init__(self, store: TokenStore, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._recent: RecentLookups[TokenRecord | None] = RecentLookups(now)
        self._noting: set[asyncio.Task[None]] = set()

    async def verify(self, token: str, client: str) -> TokenRecord | None:
        """Return what a valid token allows; None for any other."""
        return await self.verify_digest(token_digest(token), client) if is_well_formed(token) else None

    async def verify_digest(self, digest: str, client: str) -> TokenRecord | None:
        """Return what the token with this digest allows; None if it is not valid any more."""
        return await self._recent.get(digest, lambda: self._look_up(digest, client))

    async def _look_up(self, digest: str, client: str) -> TokenRecord | None:
        record = await asyncio.to_thread(self._store.find_digest, digest)
        if record is not None and _is_old(record.last_used_at):
            task = asyncio.create_task(self._note_use(record, client))
            self._noting.add(task)
            task.add_done_callback(self._noting.discard)
        return record

    async def _note_use(self, record: TokenRecord, client: str) -> None:
        try:
            await asyncio.to_thread(self._store.note_use, record, format_utc(datetime.now(UTC), "seconds"), client)
        except PlatformError:
            return  # The next use is noted; nothing depends on this one.


def _is_old(at: str | None) -> bool:
    used = None if at is None else moment(at)
    return used is None or (datetime.now(UTC) - used).total_seconds() > _NOTE_SECONDS
