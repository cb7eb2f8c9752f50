"""The sockets of the service: its port, that of the metrics, and the certificate of the first."""

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

from app.http.tls import Certificate, certificate_of
from app.settings import AppSettings
from indexer.errors import Conflict, NotConfigured

_BACKLOG: Final = 2048


@dataclass(frozen=True, slots=True)
class Listeners:
    """Bound sockets."""

    service: socket.socket
    metrics: socket.socket | None = None
    certificate: Certificate | None = None


@contextmanager
def open_listeners(settings: AppSettings) -> Iterator[Listeners]:
    """Read the certificate and bind the ports; `PlatformError` says what is wrong with the settings."""
    certificate = certificate_of(settings)
    with ExitStack() as stack:
        service = stack.enter_context(_listen(settings.host, settings.port))
        metrics = None
        if settings.metrics_port is not None:
            metrics = stack.enter_context(_listen(settings.host, settings.metrics_port))
        yield Listeners(service, metrics, certificate)


def port_of(listener: socket.socket) -> int:
    """Return the port of a bound socket."""
    port: int = listener.getsockname()[1]
    return port


def _listen(host: str, port: int) -> socket.socket:
    """Bind a port, and return the listening socket, which the caller closes."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError:
        raise NotConfigured("TRAWL_HOST names no address of this machine", action="Set it to 127.0.0.1") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Accepted connections inherit it: a client that vanished without a word is noticed after some minutes.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise _cannot_listen(error, port) from None
    listener.setblocking(False)
    return listener


def _cannot_listen(error: OSError, port: int) -> Conflict | NotConfigured:
    if error.errno == errno.EADDRINUSE:
        return Conflict(
            f"Port {port} is taken by another process",
            action="Stop that process, or choose another port with TRAWL_PORT or --port (0 takes a free one)",
        )
    return NotConfigured(
        f"Cannot listen on port {port}: {os.strerror(error.errno or 0)}",
        action="Choose an address of this machine and a port above 1023 with TRAWL_HOST and TRAWL_PORT",
    )
