"""Accepts the connections of one port, so that their number is bounded, and a full table of files ends nothing."""

import asyncio
import os
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from app.http.connection.connections import Connections
from app.http.connection.limits import EXTRA, HEAD_BYTES
from app.http.connection.protocol import GuardedProtocol
from app.http.connection.refusals import FULL
from indexer.open_files import OUT_OF_FILES

_ACCEPTED_AT_ONCE: Final = EXTRA
"""A connection that makes room for another is closed a moment later, so both count for the limit of open files."""
_PAUSE_SECONDS: Final = 0.2


class Acceptor:
    """Listens on one socket, from `start` to `stop`."""

    def __init__(
        self,
        listener: socket.socket,
        connections: Connections,
        protocol: Callable[[], GuardedProtocol],
        certificate: ssl.SSLContext | None = None,
    ) -> None:
        self._listener = listener
        self._connections = connections
        self._protocol = protocol
        self._certificate = certificate
        self._loop = asyncio.get_running_loop()
        self._opening: set[asyncio.Task[None]] = set()
        self._pause: asyncio.TimerHandle | None = None
        self._spare = _spare_file()

    def start(self) -> None:
        """Accept connections from now on."""
        self._loop.add_reader(self._listener, self._accept)

    def stop(self) -> None:
        """Accept none any more."""
        self._loop.remove_reader(self._listener)
        if self._pause is not None:
            self._pause.cancel()
        if self._spare is not None:
            os.close(self._spare)

    def _accept(self) -> None:
        for _ in range(_ACCEPTED_AT_ONCE):
            try:
                accepted, address = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno in OUT_OF_FILES:
                    self._connections.make_room()
                    self._refuse_by_spare_file()
                self._wait()
                return
            self._admit(accepted, address[0])

    def _admit(self, accepted: socket.socket, address: str) -> None:
        accepted.setblocking(False)
        protocol = self._protocol()
        if not self._connections.admit(protocol, address):
            self._refuse(accepted)
            return
        protocol.socket = accepted
        opening = self._loop.create_task(self._open(accepted, protocol))
        self._opening.add(opening)
        opening.add_done_callback(partial(self._opened, accepted, protocol))

    async def _open(self, accepted: socket.socket, protocol: GuardedProtocol) -> None:
        seconds = None if self._certificate is None else self._connections.limits.seconds
        await self._loop.connect_accepted_socket(
            lambda: protocol, accepted, ssl=self._certificate, ssl_handshake_timeout=seconds
        )

    def _opened(self, accepted: socket.socket, protocol: GuardedProtocol, opening: asyncio.Task[None]) -> None:
        self._opening.discard(opening)
        if opening.cancelled() or opening.exception() is not None:
            # The client has not completed the handshake, or is gone, or had to make room.
            self._connections.forget(protocol)
            accepted.close()

    def _refuse(self, accepted: socket.socket) -> None:
        with accepted:
            if self._certificate is None:
                with suppress(OSError):
                    accepted.send(FULL.response)
                # What was sent and is not read would be answered by a reset, which may overtake the response.
                with suppress(OSError):
                    accepted.recv(HEAD_BYTES)

    def _refuse_by_spare_file(self) -> None:
        """Accept one connection in place of the file that was kept open for this, only to refuse it."""
        if self._spare is None:
            return
        os.close(self._spare)
        with suppress(OSError):
            accepted, _ = self._listener.accept()
            accepted.setblocking(False)
            self._connections.refusals[FULL.limit] += 1
            self._refuse(accepted)
        self._spare = _spare_file()

    def _wait(self) -> None:
        """Look at the socket again in a moment: until then, it would be ready and yet give nothing."""
        self._loop.remove_reader(self._listener)
        self._pause = self._loop.call_later(_PAUSE_SECONDS, self._go_on)

    def _go_on(self) -> None:
        self._spare = self._spare if self._spare is not None else _spare_file()
        self.start()


def _spare_file() -> int | None:
    with suppress(OSError):
        return os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    return None
