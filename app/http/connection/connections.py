"""All connections of a process: how many there may be, who makes room for a new one, and who has waited too long."""

import asyncio
import ipaddress
import logging
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Final, Protocol

from app.http.connection.limits import EXTRA, ConnectionLimits
from mcp_server.access.limits.failed_attempts import network_of

_log = logging.getLogger(__name__)
_SWEEP_SECONDS: Final = 1.0
_SECONDS_BETWEEN_WARNINGS: Final = 60.0


class Connection(Protocol):
    """A connection, seen from here."""

    def check(self, now: float) -> None:
        """End it if its client has kept it waiting for too long."""

    def drop(self) -> None:
        """End it at once."""

    def restrict(self) -> None:
        """Answer about health alone."""


class Connections:
    """Counts connections, also those whose TLS handshake is not complete."""

    def __init__(self, limits: ConnectionLimits, refusals: Counter[str], proxies: Sequence[str] = ()) -> None:
        """Take the networks of proxies: all who come through one of them have its address, so it has no share."""
        self.limits = limits
        self.refusals = refusals
        self.now = 0.0
        """When the next sweep is: no earlier than the actual time, so that nobody's time is cut short."""
        self._idle: dict[Connection, None] = {}
        """Those on which no request is under way, in the order in which they became so."""
        self._addresses: dict[Connection, str] = {}
        self._extra: dict[Connection, None] = {}
        self._per_address: Counter[str] = Counter()
        self._warned_at = float("-inf")
        networks = [ipaddress.ip_network(proxy) for proxy in proxies]

        @lru_cache(maxsize=1_000)
        def caller(address: str) -> str:
            parsed = ipaddress.ip_address(address.partition("%")[0])
            mapped = getattr(parsed, "ipv4_mapped", None) or parsed
            is_shared = mapped.is_loopback or any(mapped in network for network in networks)
            return "" if is_shared else network_of(str(mapped))

        self._caller = caller

    def __len__(self) -> int:
        return len(self._addresses)

    def admit(self, connection: Connection, address: str) -> bool:
        """Count a new connection; False if its address has its share already, and all of it is in use."""
        caller = self._caller(address)
        if caller and self._per_address[caller] >= self.limits.per_address and not self._drop_idle(caller):
            self.refusals["connections"] += 1
            return False
        if len(self._addresses) - len(self._extra) >= self.limits.connections and not self._drop_idle():
            self._warn("There are as many connections as can be served")
            while len(self._extra) >= EXTRA:
                next(iter(self._extra)).drop()
            self._extra[connection] = None
            connection.restrict()
        self._addresses[connection] = caller
        self._per_address[caller] += 1
        self._idle[connection] = None
        return True

    def forget(self, connection: Connection) -> None:
        """Do not count a connection any more; no error if that is so already."""
        caller = self._addresses.pop(connection, None)
        if caller is None:
            return
        self._idle.pop(connection, None)
        self._extra.pop(connection, None)
        self._per_address[caller] -= 1
        if not self._per_address[caller]:
            del self._per_address[caller]

    def became_busy(self, connection: Connection) -> None:
        """Note that a request has begun."""
        self._idle.pop(connection, None)

    def became_idle(self, connection: Connection) -> None:
        """Note that no request is under way."""
        if connection in self._addresses:
            self._idle[connection] = None

    def make_room(self) -> None:
        """End some idle connections, because this process may not open another file."""
        self._warn("No more files may be opened (ulimit -n)")
        for _ in range(EXTRA):
            if not self._drop_idle():
                return

    @asynccontextmanager
    async def swept(self) -> AsyncIterator[None]:
        """Look at all connections every second, until the end of the block."""
        self.now = asyncio.get_running_loop().time() + _SWEEP_SECONDS
        sweeping = asyncio.create_task(self._sweep())
        try:
            yield
        finally:
            sweeping.cancel()

    async def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            expected, now = self.now, loop.time()
            self.now = now + _SWEEP_SECONDS
            # After a pause of the process itself, what clients have sent meanwhile is read first.
            if now - expected < _SWEEP_SECONDS:
                for connection in list(self._addresses):
                    connection.check(now)

    def _drop_idle(self, caller: str | None = None) -> bool:
        """End the connection that has been idle for longest, of this caller if one is given; False without any."""
        oldest = next((each for each in self._idle if caller in {None, self._addresses[each]}), None)
        if oldest is None:
            return False
        oldest.drop()
        return True

    def _warn(self, what: str) -> None:
        if self.now - self._warned_at > _SECONDS_BETWEEN_WARNINGS:
            self._warned_at = self.now
            _log.warning("%s; there are %d connections", what, len(self))
