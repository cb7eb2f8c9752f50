"""Loopback ports for servers that must come back on the same port after being killed."""

import socket
from collections.abc import Iterator

from filelock import FileLock

from deploy.local.places import cache_root

# Below the range from which the kernel takes ports for outgoing connections.
FIRST, LAST = 12000, 32000


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _from(start: int) -> Iterator[int]:
    yield from range(start, LAST)
    yield from range(FIRST, start)


def take_ports(count: int) -> list[int]:
    """Return free ports that no other caller on this machine was given lately."""
    counter = cache_root() / "next-port"
    with FileLock(f"{counter}.lock"):
        text = counter.read_text(encoding="ascii") if counter.exists() else ""
        start = int(text) if text.isdecimal() and FIRST <= int(text) < LAST else FIRST
        found: list[int] = []
        for port in _from(start):
            if len(found) == count:
                break
            if _is_free(port):
                found.append(port)
        counter.write_text(str(found[-1] + 1), encoding="ascii")
    return found
