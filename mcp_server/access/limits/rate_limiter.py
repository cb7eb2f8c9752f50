"""The rate limiter of callers, shared by all processes over Redis; each process has its own while Redis is away.

A process takes several permits from the shared bucket at once and hands them out by itself, so that most calls cost no
round trip. So a limit is exact but for the permits that other processes hold: a tenth of the burst each.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from indexer.single_flight import SingleFlight
from mcp_server.access.limits.token_bucket import TAKE, Grant, Rate, TokenBucket, grant_of
from mcp_server.shared import Shared
from mcp_server.upstream.telemetry import Hashes

_MAX_NAMES: Final = 10_000
_BURST_SHARES: Final = 10
_MAX_TAKEN: Final = 100
_MIN_VALID_SECONDS: Final = 1.0


@dataclass(slots=True)
class _Permits:
    """What this process holds for one name."""

    key: str
    own: TokenBucket
    """Used while Redis is away."""
    left: int = 0
    valid_until: float = 0.0
    """After that, the shared bucket is full again and permits that were taken before would come on top."""
    refused_until: float = 0.0


class RateLimiter:
    """Limits how often something happens in the name of each caller."""

    def __init__(
        self,
        purpose: str,
        rate: Rate,
        shared: Shared,
        hashes: Hashes,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep the buckets of each purpose apart. Redis gets hashes of the names."""
        self._purpose = purpose
        self._rate = rate
        self._shared = shared
        self._hashes = hashes
        self._now = now
        self._taken_at_once = max(1, min(rate.burst // _BURST_SHARES, _MAX_TAKEN))
        self._permits: dict[str, _Permits] = {}
        self._renewals: SingleFlight[None] = SingleFlight()

    async def take(self, name: str) -> float:
        """Take a permit and return 0; if there is none, return how many seconds it takes until there is one."""
        if self.take_at_hand(name):
            return 0.0
        permits = self._permits_of(name)
        while (wait := permits.refused_until - self._now()) <= 0:
            await self._renewals.join(name, lambda: self._renew(permits))
            # Whoever waited with this caller may have taken them all.
            if permits.left:
                permits.left -= 1
                return 0.0
        return wait

    def take_at_hand(self, name: str) -> bool:
        """Take a permit that this process holds already; False if it holds none."""
        permits = self._permits.get(name)
        if permits is None or not permits.left or self._now() >= permits.valid_until:
            return False
        permits.left -= 1
        return True

    def wait(self, name: str) -> float:
        """Return how many seconds it takes until there is a permit, as far as this process knows; takes none."""
        permits = self._permits.get(name)
        return 0.0 if permits is None else max(0.0, permits.refused_until - self._now())

    def _permits_of(self, name: str) -> _Permits:
        permits = self._permits.get(name)
        if permits is None:
            key = f"{self._purpose}:{self._hashes.name(name)}"
            permits = _Permits(key, TokenBucket(self._rate, self._now()))
            if len(self._permits) >= _MAX_NAMES:
                del self._permits[next(iter(self._permits))]
            self._permits[name] = permits
        return permits

    async def _renew(self, permits: _Permits) -> None:
        grant = await self._grant(permits)
        now = self._now()
        permits.left = grant.permits
        permits.valid_until = now + max(self._rate.seconds_to_fill, _MIN_VALID_SECONDS)
        permits.refused_until = now + grant.wait

    async def _grant(self, permits: _Permits) -> Grant:
        arguments = [self._rate.per_minute, self._rate.burst, self._taken_at_once]
        reply = await self._shared.run(TAKE, [permits.key], arguments)
        return permits.own.take(1, self._now()) if reply is None else grant_of(reply)
