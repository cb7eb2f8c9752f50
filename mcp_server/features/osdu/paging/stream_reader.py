"""Reads records beyond the first page with the service's cursor, and opens a new cursor when the old one is lost.

A cursor of the service advances with each request and does not report its position. Its position is therefore kept
in Redis, and a compare-and-set decides which process may advance it. A process that fails the compare-and-set opens
a new cursor and skips the records that were read already.
"""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from indexer.errors import Invalid
from mcp_server.features.osdu.api.failures import CursorLost
from mcp_server.features.osdu.arguments import MAX_LIMIT
from mcp_server.features.osdu.paging.cursor_state import TAIL_LENGTH, CursorState, record_digest, tail_digest
from mcp_server.features.osdu.query.checks import MAX_RESULT_WINDOW
from mcp_server.shared import Shared
from mcp_server.upstream.guard.gate_scripts import EXCHANGE
from mcp_server.upstream.telemetry import Hashes

Record = Mapping[str, Any]
Fetch = Callable[[int, str | None], Awaitable[dict[str, Any]]]
"""Fetches a page of this size from this cursor, or opens a cursor where that is None."""

_MAX_STREAMS: Final = 16
_MAX_IDLE_SECONDS: Final = 120.0
_POSITION_TTL_MILLISECONDS: Final = 300_000
_ADVANCING: Final = "moving"
_MAX_ATTEMPTS: Final = 4


@dataclass(slots=True)
class _Stream:
    """A cursor of the service, and a buffer of the records that it returned last, which begins at `start`."""

    name: str
    size: int
    cursor: str | None
    start: int
    total: int
    exact: bool
    records: list[Record] = field(default_factory=list)
    process_local: bool = False
    """Redis does not have its position, so no other process can advance it."""
    used_at: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def end(self) -> int:
        return self.start + len(self.records)

    @property
    def is_exhausted(self) -> bool:
        return self.cursor is None or (self.exact and self.end >= self.total)

    def is_buffered(self, position: int) -> bool:
        return self.start <= position <= self.end

    def drop_before(self, position: int) -> None:
        surplus = max(0, min(position, self.end) - TAIL_LENGTH - self.start)
        del self.records[:surplus]
        self.start += surplus

    def tail(self, position: int, length: int = TAIL_LENGTH) -> str:
        end = position - self.start
        return tail_digest(self.records[max(0, end - length) : end])

    def matches(self, state: CursorState) -> bool:
        """Return whether the records before the position are the ones that were read there before."""
        length = int(state.tail[:1] or 0)
        return self.is_buffered(state.position) and self.tail(state.position, length) == state.tail


@dataclass(frozen=True, slots=True)
class RecordBatch:
    """Records that were read, each with the position after it."""

    state: CursorState
    records: list[Record]
    positions: list[int]
    skipped: list[tuple[int, bytes]]
    end: int
    stream: _Stream

    def state_after(self, count: int) -> CursorState | None:
        """Return the state to continue from after so many of the records; None at the end of the stream."""
        position = self.end if count == len(self.records) else self.positions[count - 1]
        stream = self.stream
        if position == stream.end and stream.is_exhausted:
            return None
        return CursorState(
            total=stream.total,
            position=position,
            already_shown=self.state.already_shown - {digest for at, digest in self.skipped if at <= position},
            tail=stream.tail(position),
            stream=stream.name,
            cursor=stream.cursor,
            cursor_at=stream.end,
            size=stream.size,
        )


class StreamReader:
    """Reads streams of records, and keeps those that this process reads at present."""

    def __init__(self, shared: Shared, hashes: Hashes, now: Callable[[], float] = time.monotonic) -> None:
        self._shared = shared
        self._hashes = hashes
        self._now = now
        self._streams: OrderedDict[str, _Stream] = OrderedDict()

    async def read(self, fetch: Fetch, state: CursorState, limit: int, *, exact: bool) -> RecordBatch:
        """Return the next records; a lost cursor is replaced by a new one at the same position."""
        for _ in range(_MAX_ATTEMPTS):
            try:
                stream = self._resume(state, exact=exact) or await self._open(fetch, state, limit, exact=exact)
                async with stream.lock:
                    if stream.is_buffered(state.position):
                        return await self._collect(fetch, stream, state, limit)
            except CursorLost:
                self._streams.pop(state.stream, None)
                state = replace(state, cursor=None, stream="")
        raise CursorLost

    def _resume(self, state: CursorState, *, exact: bool) -> _Stream | None:
        stream = self._streams.get(state.stream)
        if stream is not None and stream.is_buffered(state.position):
            return stream
        if state.cursor is None or state.position != state.cursor_at:
            return None
        return self._keep(_Stream(state.stream, state.size, state.cursor, state.position, state.total, exact=exact))

    async def _open(self, fetch: Fetch, state: CursorState, limit: int, *, exact: bool) -> _Stream:
        # Larger pages skip faster over records that were read already.
        size = min(MAX_LIMIT, max(limit, state.position))
        stream = _Stream(secrets.token_hex(4), size, cursor=None, start=0, total=state.total, exact=exact)
        await self._append(stream, await fetch(size, None))
        while stream.end < state.position and not stream.is_exhausted:
            stream.drop_before(stream.end)
            await self._advance(fetch, stream)
        if not stream.matches(state):
            raise Invalid(
                "The results have changed since the page before",
                action='Search again without a cursor; sort={"field": ["id"]} keeps an order that stays the same',
            )
        return self._keep(stream)

    async def _collect(self, fetch: Fetch, stream: _Stream, state: CursorState, limit: int) -> RecordBatch:
        stream.drop_before(state.position)
        stream.used_at = self._now()
        records: list[Record] = []
        positions: list[int] = []
        skipped: list[tuple[int, bytes]] = []
        position = state.position
        while len(records) < limit:
            if position == stream.end:
                if not stream.is_exhausted:
                    await self._advance(fetch, stream)
                if position == stream.end:
                    break
            record = stream.records[position - stream.start]
            position += 1
            if state.already_shown and (digest := record_digest(record)) in state.already_shown:
                skipped.append((position, digest))
                continue
            records.append(record)
            positions.append(position)
        return RecordBatch(state, records, positions, skipped, position, stream)

    async def _advance(self, fetch: Fetch, stream: _Stream) -> None:
        """Fetch the next page if the service's cursor is still at the end of the buffer."""
        cursor = str(stream.cursor)
        if not stream.process_local:
            acquired = await self._exchange(cursor, str(stream.end), _ADVANCING)
            if acquired != 1:
                raise CursorLost
        await self._append(stream, await fetch(stream.size, cursor))

    async def _append(self, stream: _Stream, response: dict[str, Any]) -> None:
        stream.records.extend(response["results"])
        stream.total = response["totalCount"]
        # The service may stop counting at this number, so only a smaller total is certain to be exact.
        stream.exact = stream.exact or stream.total < MAX_RESULT_WINDOW
        cursor = response.get("cursor")
        stream.cursor = cursor if response["results"] and isinstance(cursor, str) else None
        if stream.cursor is not None:
            stream.process_local = await self._exchange(stream.cursor, "", str(stream.end)) is None

    async def _exchange(self, cursor: str, expected: str, new: str) -> Any | None:
        """Compare-and-set the position of a cursor in Redis; None where Redis is unavailable."""
        key = f"osdu:cursor:{self._hashes.name(cursor)}"
        return await self._shared.run(EXCHANGE, [key], [expected, new, _POSITION_TTL_MILLISECONDS])

    def _keep(self, stream: _Stream) -> _Stream:
        now = stream.used_at = self._now()
        self._streams[stream.name] = stream
        self._streams.move_to_end(stream.name)
        idle = [name for name, each in self._streams.items() if now - each.used_at > _MAX_IDLE_SECONDS]
        for name in idle or list(self._streams)[: max(0, len(self._streams) - _MAX_STREAMS)]:
            del self._streams[name]
        return stream
