"""Reserves loopback ports for servers that must restart on the same port."""

import socket
from collections.abc import Iterator

from filelock import FileLock

from deploy.local.places import cache_root

# Below the kernel's range of ephemeral ports for outgoing connections.
FIRST_PORT, LAST_PORT = 12000, 32000


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _ports_from(start: int) -> Iterator[int]:
    yield from range(start, LAST_PORT)
    yield from range(FIRST_PORT, start)


def take_ports(count: int) -> list[int]:
    """Return free ports that no other caller on this machine received recently."""
    counter = cache_root() / "next-port"
    with FileLock(f"{counter}.lock"):
        text = counter.read_text(encoding="ascii") if counter.exists() else ""
        start = int(text) if text.isdecimal() and FIRST_PORT <= int(text) < LAST_PORT else FIRST_PORT
        ports: list[int] = []
        for port in _ports_from(start):
            if len(ports) == count:
                break
            if _is_free(port):
                ports.append(port)
        counter.write_text(str(ports[-1] + 1), encoding="ascii")
    return ports
