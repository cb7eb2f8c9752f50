"""Reading on past a page: by the service's cursor, and from the right place again when that is gone.

The service's cursor moves with each request and tells nobody where it stands. So its position is kept beside it in
Redis, and only who finds it there may move it; whoever does not opens a new one and passes over what was read.
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
from mcp_server.features.osdu.paging.cursor_state import TAIL, Place, mark, tail_of
from mcp_server.features.osdu.query.checks import DEEPEST
from mcp_server.upstream.guard.gate_scripts import EXCHANGE
from mcp_server.upstream.guard.guard import Shared
from mcp_server.upstream.telemetry import Hashes

Record = Mapping[str, Any]
Ask = Callable[[int, str | None], Awaitable[dict[str, Any]]]
"""Asks for a page of this size, going on with this cursor."""

_STREAMS: Final = 16
_IDLE_SECONDS: Final = 120.0
_KEPT_MILLISECONDS: Final = 300_000
_MOVING: Final = "moving"
_TRIES: Final = 4


@dataclass(slots=True)
class _Stream:
    """A cursor of the service, and the records from `start` on that it gave last."""

    name: str
    size: int
    cursor: str | None
    start: int
    total: int
    exact: bool
    records: list[Record] = field(default_factory=list)
    private: bool = False
    """Redis does not know its position, so no other process may move it."""
    used_at: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def at(self) -> int:
        return self.start + len(self.records)

    @property
    def ended(self) -> bool:
        return self.cursor is None or (self.exact and self.at >= self.total)

    def holds(self, position: int) -> bool:
        return self.start <= position <= self.at

    def forget_before(self, position: int) -> None:
        surplus = max(0, min(position, self.at) - TAIL - self.start)
        del self.records[:surplus]
        self.start += surplus

    def tail(self, position: int, length: int = TAIL) -> str:
        end = position - self.start
        return tail_of(self.records[max(0, end - length) : end])

    def is_same(self, place: Place) -> bool:
        """Say whether this stream has at the place what was read there."""
        length = int(place.tail[:1] or 0)
        return self.holds(place.position) and self.tail(place.position, length) == place.tail


@dataclass(frozen=True, slots=True)
class Pages:
    """Records that were read, each with the position after it."""

    place: Place
    records: list[Record]
    positions: list[int]
    passed: list[tuple[int, bytes]]
    end: int
    stream: _Stream

    def after(self, count: int) -> Place | None:
        """Return where to go on after so many of the records; None after the last of all."""
        position = self.end if count == len(self.records) else self.positions[count - 1]
        stream = self.stream
        if position == stream.at and stream.ended:
            return None
        return Place(
            total=stream.total,
            position=position,
            hidden=self.place.hidden - {each for at, each in self.passed if at <= position},
            tail=stream.tail(position),
            stream=stream.name,
            cursor=stream.cursor,
            cursor_at=stream.at,
            size=stream.size,
        )


class Reading:
    """Keeps the streams that are being read in this process."""

    def __init__(self, shared: Shared, hashes: Hashes, now: Callable[[], float] = time.monotonic) -> None:
        self._shared = shared
        self._hashes = hashes
        self._now = now
        self._streams: OrderedDict[str, _Stream] = OrderedDict()

    async def read(self, ask: Ask, place: Place, limit: int, *, exact: bool) -> Pages:
        """Return the next records from a place on; a cursor that is gone is opened anew, at the same place."""
        for _ in range(_TRIES):
            try:
                stream = self._known(place, exact=exact) or await self._opened(ask, place, limit, exact=exact)
                async with stream.lock:
                    if stream.holds(place.position):
                        return await self._collected(ask, stream, place, limit)
            except CursorLost:
                self._streams.pop(place.stream, None)
                place = replace(place, cursor=None, stream="")
        raise CursorLost

    def _known(self, place: Place, *, exact: bool) -> _Stream | None:
        stream = self._streams.get(place.stream)
        if stream is not None and stream.holds(place.position):
            return stream
        if place.cursor is None or place.position != place.cursor_at:
            return None
        return self._keep(_Stream(place.stream, place.size, place.cursor, place.position, place.total, exact=exact))

    async def _opened(self, ask: Ask, place: Place, limit: int, *, exact: bool) -> _Stream:
        # Larger pages pass faster over what was read already.
        size = min(MAX_LIMIT, max(limit, place.position))
        stream = _Stream(secrets.token_hex(4), size, cursor=None, start=0, total=place.total, exact=exact)
        await self._moved(stream, await ask(size, None))
        while stream.at < place.position and not stream.ended:
            stream.forget_before(stream.at)
            await self._move(ask, stream)
        if not stream.is_same(place):
            raise Invalid(
                "The results have changed since the page before",
                action='Search again without a cursor; sort={"field": ["id"]} keeps an order that stays the same',
            )
        return self._keep(stream)

    async def _collected(self, ask: Ask, stream: _Stream, place: Place, limit: int) -> Pages:
        stream.forget_before(place.position)
        stream.used_at = self._now()
        records: list[Record] = []
        positions: list[int] = []
        passed: list[tuple[int, bytes]] = []
        position = place.position
        while len(records) < limit:
            if position == stream.at:
                if not stream.ended:
                    await self._move(ask, stream)
                if position == stream.at:
                    break
            record = stream.records[position - stream.start]
            position += 1
            if place.hidden and (shown := mark(record)) in place.hidden:
                passed.append((position, shown))
                continue
            records.append(record)
            positions.append(position)
        return Pages(place, records, positions, passed, position, stream)

    async def _move(self, ask: Ask, stream: _Stream) -> None:
        """Have the service's cursor give its next page, if it stands where it is thought to."""
        cursor = str(stream.cursor)
        if not stream.private:
            mine = await self._exchange(cursor, str(stream.at), _MOVING)
            if mine != 1:
                raise CursorLost
        await self._moved(stream, await ask(stream.size, cursor))

    async def _moved(self, stream: _Stream, answer: dict[str, Any]) -> None:
        stream.records.extend(answer["results"])
        stream.total = answer["totalCount"]
        # Up to this number the service may have stopped counting.
        stream.exact = stream.exact or stream.total < DEEPEST
        cursor = answer.get("cursor")
        stream.cursor = cursor if answer["results"] and isinstance(cursor, str) else None
        if stream.cursor is not None:
            stream.private = await self._exchange(stream.cursor, "", str(stream.at)) is None

    async def _exchange(self, cursor: str, expected: str, new: str) -> Any | None:
        key = f"osdu:cursor:{self._hashes.name(cursor)}"
        return await self._shared.run(EXCHANGE, [key], [expected, new, _KEPT_MILLISECONDS])

    def _keep(self, stream: _Stream) -> _Stream:
        now = stream.used_at = self._now()
        self._streams[stream.name] = stream
        self._streams.move_to_end(stream.name)
        idle = [name for name, each in self._streams.items() if now - each.used_at > _IDLE_SECONDS]
        for name in idle or list(self._streams)[: max(0, len(self._streams) - _STREAMS)]:
            del self._streams[name]
        return stream
