"""Sockets on which sandboxes listen: only this machine reaches them."""

import socket
from typing import Final

_LOOPBACK: Final = "127.0.0.1"


def listen(port: int = 0) -> socket.socket:
    """Bind a port of this machine's loopback address; 0 takes a free one. Raises `OSError`."""
    return socket.create_server((_LOOPBACK, port), backlog=1024)


def address_of(listener: socket.socket) -> str:
    """Return the address of a listening socket."""
    return f"http://{_LOOPBACK}:{listener.getsockname()[1]}"
