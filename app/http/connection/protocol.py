"""One connection: uvicorn's protocol, with limits on what precedes the application and how long clients may wait."""

import asyncio
import socket
from contextlib import suppress
from typing import Any, Final

import httptools
from starlette.types import ASGIApp
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from app.http.connection.connections import Connections
from app.http.connection.limits import HEAD_BYTES, LINE_BYTES, MAX_HEADERS, MAX_IGNORED_BYTES, MAX_PIPELINED
from app.http.connection.pace import Pace
from app.http.connection.refusals import LONG_HEAD, LONG_LINE, MALFORMED, PIPELINED, SLOW, Refusal

_IDLE, _HEAD, _BODY, _READ = range(4)
"""Of the newest request: none has begun; its headers, or its body, are arriving; it has arrived as a whole."""
_PIECE_BYTES: Final = 32_768
_BYTES_AROUND_HEADER: Final = 4


class GuardedProtocol(HttpToolsProtocol):
    """A connection of a client. `Connections` calls `check` every second, so that no request needs a timer."""

    def __init__(
        self, config: Config, state: ServerState, app_state: dict[str, Any], connections: Connections, health: ASGIApp
    ) -> None:
        """Take the application that serves a connection above the limit, too."""
        super().__init__(config, state, app_state)
        self.socket: socket.socket | None = None
        """Until the connection is made, which with TLS is after the handshake."""
        self._all = connections
        self._health = health
        self._is_open = self._is_extra = self._is_over = False
        self._phase = _IDLE
        self._since = connections.now
        self._idle_limit = connections.limits.seconds
        self._bare_bytes = 0
        """What has arrived since the last byte of a body, or since the request began."""
        self._problem = MALFORMED
        self._sending = Pace()
        self._reading = Pace()
        self._unread = 0
        """What the client had not read of the responses at the last check."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._is_open = True
        self.socket = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._all.forget(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if len(data) <= _PIECE_BYTES:
            self._feed(data)
            return
        view = memoryview(data)
        for start in range(0, len(data), _PIECE_BYTES):
            self._feed(view[start : start + _PIECE_BYTES])

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._phase == _IDLE:
            self._all.became_busy(self)
        else:
            self._bare_bytes = 0
        self._phase = _HEAD
        self._since = self._all.now

    def on_headers_complete(self) -> None:
        if len(self.url) > LINE_BYTES:
            self._raise(LONG_LINE)
        if len(self.headers) > MAX_HEADERS or (self._bare_bytes > HEAD_BYTES and _size(self.headers) > HEAD_BYTES):
            self._raise(LONG_HEAD)
        if len(self.pipeline) >= MAX_PIPELINED:
            self._raise(PIPELINED)
        super().on_headers_complete()
        # What comes after the body is added to a list that nobody reads.
        self.headers = []
        self._phase = _BODY
        self._since = self._all.now
        self._sending.restart(self._all.now)
        self._bare_bytes = 0
        if self._is_extra:
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._bare_bytes = 0
        self._sending.amount += len(body)
        if self.cycle.response_complete and self._sending.amount > MAX_IGNORED_BYTES:
            self._raise(SLOW)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._phase = _READ
        if self.cycle.response_complete:
            self._become_idle()

    def on_response_complete(self) -> None:
        """Go on with the next request. uvicorn's sets a timer for each response, and reads on while requests wait."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        if self._is_over:
            self.transport.close()
        elif self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        else:
            self.flow.resume_reading()
            if self._phase == _READ:
                self._become_idle()
            else:
                self._since = self._all.now
                self._sending.restart(self._all.now)

    def check(self, now: float) -> None:
        """End the connection if its client has kept it waiting for too long."""
        if not self._is_open:
            # The handshake has a time-out of its own.
            return
        if self._reads_too_slowly(now):
            self._all.refusals["slow"] += 1
            self.drop()
        elif self.transport.is_closing():
            return
        elif self._phase == _IDLE:
            if now - self._since > self._idle_limit:
                self.transport.close()
        elif (self._phase == _HEAD and self._sends_no_headers(now)) or (
            self._phase == _BODY and self._sends_too_slowly(now)
        ):
            self._refuse(SLOW)

    def drop(self) -> None:
        """End the connection at once."""
        self._all.forget(self)
        if self._is_open:
            self.transport.abort()
        elif self.socket is not None:
            # Whoever waits for the handshake finds that the client is gone.
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)

    def restrict(self) -> None:
        """Answer about health alone, and only once."""
        self._is_extra = True
        self.app = self._health

    def _feed(self, data: bytes | memoryview) -> None:
        if self._is_over:
            return
        self._bare_bytes += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # What follows is of no protocol that is spoken here.
            self._is_over = True
        except httptools.HttpParserError:
            self._refuse(self._problem)
        else:
            if self._bare_bytes > HEAD_BYTES:
                self._check_bytes()

    def _check_bytes(self) -> None:
        if self._phase != _HEAD:
            self._refuse(LONG_HEAD)
        elif len(self.url) > LINE_BYTES:
            self._refuse(LONG_LINE)
        elif self._bare_bytes - len(self.url) > HEAD_BYTES:
            self._refuse(LONG_HEAD)

    def _become_idle(self) -> None:
        self._phase = _IDLE
        self._since = self._all.now
        self._idle_limit = self._all.limits.idle_seconds
        self._bare_bytes = 0
        self._all.became_idle(self)

    def _sends_no_headers(self, now: float) -> bool:
        return now - self._since > self._all.limits.seconds and not self.flow.read_paused

    def _sends_too_slowly(self, now: float) -> bool:
        if self.cycle.response_complete:
            return now - self._since > self._all.limits.seconds
        if self.flow.read_paused or self.cycle.waiting_for_100_continue:
            self._sending.restart(now)
            return False
        return self._sending.is_too_slow(now, self._all.limits.seconds)

    def _reads_too_slowly(self, now: float) -> bool:
        unread = self.transport.get_write_buffer_size()
        if unread and self._unread:
            self._reading.amount += max(0, self._unread - unread)
        else:
            self._reading.restart(now)
        self._unread = unread
        return bool(unread) and self._reading.is_too_slow(now, self._all.limits.seconds)

    def _raise(self, problem: Refusal) -> None:
        """End the parser, which then calls nothing any more."""
        self._problem = problem
        raise ValueError

    def _refuse(self, refusal: Refusal) -> None:
        """Respond, unless that would end up in the middle of another response, and close."""
        self._is_over = True
        self._all.refusals[refusal.limit] += 1
        cycle: Any = self.cycle
        is_answering = cycle is not None and not cycle.response_complete
        is_next = not self.pipeline and (self._phase == _BODY or not is_answering)
        if is_next and not (self._phase == _BODY and cycle.response_started):
            self.transport.write(refusal.response)
        if is_answering:
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.close()


def _size(headers: list[tuple[bytes, bytes]]) -> int:
    return sum(len(name) + len(value) + _BYTES_AROUND_HEADER for name, value in headers)
