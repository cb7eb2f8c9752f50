"""Connections that send without end, hardly at all, or do not read; each is one that a service must end by itself."""

import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from tests.service import Service

HOST = b"Host: 127.0.0.1\r\n"
GET = b"GET /livez HTTP/1.1\r\n" + HOST
POST = b"POST /api/v1/indices/default/search HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
PIECE = b"a" * 65_536
ENDLESS: dict[str, tuple[bytes, bytes, set[int]]] = {
    "one header of 200 MB": (GET + b"X: ", PIECE, {431}),
    "headers without end": (GET, b"X-Name: value\r\n" * 4_000, {431}),
    "an address of 200 MB": (b"GET /", PIECE, {414}),
    "a method of 200 MB": (b"", PIECE, {400}),
    "an extension of a chunk without end": (CHUNKED + b"1;", PIECE, {431}),
    "trailers without end": (CHUNKED + b"1\r\n{\r\n0\r\n", b"X-Name: value\r\n" * 4_000, {431}),
    "many requests at once": (b"", (GET + b"\r\n") * 1_500, {200}),
    "empty lines without end": (b"", b"\r\n" * 30_000, {400, 431}),
}
"""What is sent first, what is sent again and again, and the statuses that may be read before the end."""
MALFORMED = {
    "a length and chunks": b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and a length": b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
    "two lengths": b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    "the same length twice": b"Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    "a signed length": b"Content-Length: +3\r\n\r\nabc",
    "another coding": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "a coding after chunks": b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "a folded header": b"X: a\r\n b\r\nContent-Length: 0\r\n\r\n",
    "a space before a colon": b"Content-Length : 0\r\n\r\n",
    "a bare line feed": b"X: a\nContent-Length: 0\r\n\r\n",
}


def connect(service: Service, receive_buffer: int | None = None) -> socket.socket:
    address = urlsplit(service.url)
    connection = socket.socket()
    if receive_buffer is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(20)
    connection.connect((address.hostname, address.port))
    return connection


def read_all(connection: socket.socket) -> bytes:
    """Read until the service closes the connection."""
    answer = b""
    try:
        while part := connection.recv(65_536):
            answer += part
    except ConnectionError:
        # It closes without reading what is still on its way.
        pass
    return answer


def status_of(answer: bytes) -> int | None:
    return int(answer.split(b" ", 2)[1]) if answer else None


def send_without_end(service: Service, name: str, most: int = 200_000_000) -> tuple[int, int | None]:
    """Send until the service ends the connection; return how much was sent, and the status of its answer."""
    first, more, _ = ENDLESS[name]
    sent = 0
    with connect(service) as connection:
        try:
            connection.sendall(first)
            while sent < most:
                connection.sendall(more)
                sent += len(more)
        except ConnectionError:
            pass
        return sent, status_of(read_all(connection))


def until_ended(connections: list[socket.socket], seconds: float, meanwhile: Callable[[], None]) -> set[socket.socket]:
    """Wait until the service has ended all of them; return those that are left after these seconds."""
    left = {each.fileno(): each for each in connections}
    poller = select.poll()
    for number in left:
        # Only a connection that is closed on both sides, not the answer that precedes it.
        poller.register(number, select.POLLRDHUP)
    deadline = time.monotonic() + seconds
    while left and time.monotonic() < deadline:
        meanwhile()
        for number, _ in poller.poll(100):
            poller.unregister(number)
            del left[number]
    return set(left.values())


@contextmanager
def opened(service: Service, count: int, first: bytes = b"") -> Iterator[list[socket.socket]]:
    """Open many connections that send this much, and nothing more."""
    connections = []
    try:
        for _ in range(count):
            connections.append(connect(service))
            try:
                connections[-1].sendall(first)
            except ConnectionError:
                # The service may have ended it already.
                continue
        yield connections
    finally:
        for each in connections:
            each.close()
