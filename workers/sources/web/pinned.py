"""Connections that go where the guard looked, and that all end by one deadline."""

import ssl
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import httpcore

from workers.sources.web.guard import Guard, Unfetchable

_ADDRESSES: Final = 4
"""How many of a host's addresses are tried."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """When everything must be over, however slowly the other side sends."""

    at: float

    @classmethod
    def within(cls, seconds: float) -> "Deadline":
        return cls(time.monotonic() + seconds)

    def left(self, late: type[httpcore.TimeoutException]) -> float:
        """Return the seconds that remain, or raise what the caller of this step expects."""
        remaining = self.at - time.monotonic()
        if remaining <= 0:
            raise late
        return remaining


class PinnedBackend(httpcore.NetworkBackend):
    """Resolves, checks and connects in one step, so that a name cannot mean two addresses."""

    def __init__(self, guard: Guard, deadline: Deadline) -> None:
        self._guard = guard
        self._deadline = deadline
        self._network = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002  # the deadline stands above it
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        addresses = self._guard.addresses(host, port)[:_ADDRESSES]
        for number, address in enumerate(addresses):
            share = self._deadline.left(httpcore.ConnectTimeout) / (len(addresses) - number)
            try:
                stream = self._network.connect_tcp(str(address), port, share, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
            return _Stream(stream, self._deadline)
        self._deadline.left(httpcore.ConnectTimeout)
        raise httpcore.ConnectError


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002  # as above
        return self._stream.read(max_bytes, self._deadline.left(httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002  # as above
        self._stream.write(buffer, self._deadline.left(httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002  # as above
    ) -> httpcore.NetworkStream:
        left = self._deadline.left(httpcore.ConnectTimeout)
        try:
            stream = self._stream.start_tls(ssl_context, server_hostname, left)
        except httpcore.ConnectError:
            raise Unfetchable("is on a host with which no secure connection can be made") from None
        return _Stream(stream, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
