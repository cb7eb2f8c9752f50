"""Connections to the very addresses that the guard checked, with one deadline for all steps of a request."""

import ssl
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import httpcore

from workers.sources.web.guard import Guard, Unfetchable

_MAX_ADDRESSES: Final = 4
"""How many addresses of a host are tried."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time by which a request must end, however slowly the server sends."""

    at: float

    @classmethod
    def within(cls, seconds: float) -> "Deadline":
        return cls(time.monotonic() + seconds)

    def remaining(self, timeout_error: type[httpcore.TimeoutException]) -> float:
        """Return the remaining seconds; raise the given error if there are none."""
        seconds = self.at - time.monotonic()
        if seconds <= 0:
            raise timeout_error
        return seconds


class PinnedBackend(httpcore.NetworkBackend):
    """Resolves, checks and connects in one step, so that DNS rebinding cannot get around the guard."""

    def __init__(self, guard: Guard, deadline: Deadline) -> None:
        self._guard = guard
        self._deadline = deadline
        self._network = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002  # the deadline replaces it
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        addresses = self._guard.addresses(host, port)[:_MAX_ADDRESSES]
        for number, address in enumerate(addresses):
            share = self._deadline.remaining(httpcore.ConnectTimeout) / (len(addresses) - number)
            try:
                stream = self._network.connect_tcp(str(address), port, share, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
            return _DeadlineStream(stream, self._deadline)
        self._deadline.remaining(httpcore.ConnectTimeout)
        raise httpcore.ConnectError


class _DeadlineStream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002  # as above
        return self._stream.read(max_bytes, self._deadline.remaining(httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002  # as above
        self._stream.write(buffer, self._deadline.remaining(httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002  # as above
    ) -> httpcore.NetworkStream:
        seconds = self._deadline.remaining(httpcore.ConnectTimeout)
        try:
            stream = self._stream.start_tls(ssl_context, server_hostname, seconds)
        except httpcore.ConnectError:
            raise Unfetchable("is on a host with which no secure connection can be made") from None
        return _DeadlineStream(stream, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
