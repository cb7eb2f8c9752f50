"""Limits how often tokens from one network address may be wrong, so that nobody can guess them or wear out the store.

Behind a proxy many callers have one address. So a token that was valid lately is looked up in any case, and the wrong
ones of others do not lock its caller out.
"""

import ipaddress
import time
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from cachetools import TTLCache

from indexer.errors import RateLimited
from mcp_server.access.limits.rate_limiter import RateLimiter
from mcp_server.access.limits.token_bucket import Rate

RATE: Final = Rate(per_minute=60, burst=60)
_VALID_SECONDS: Final = 600
_MAX_VALID: Final = 10_000
_IPV6_PREFIX: Final = 64
"""What one household or machine gets of IPv6: to such a caller, single addresses are free."""


class FailedAttempts:
    """Counts attempts with wrong tokens by the address that they came from."""

    def __init__(
        self, limiter: RateLimiter, refusals: Counter[str], *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._limiter = limiter
        self._refusals = refusals
        # By Python's own hash, which has a random key in each process: no token is kept here.
        self._valid: TTLCache[int, bool] = TTLCache(_MAX_VALID, _VALID_SECONDS, now)

    def check(self, token: str, address: str) -> None:
        """Raise `RateLimited` before a token is looked up, if too many from its address were wrong."""
        wait = self._limiter.wait(network_of(address))
        if wait and hash(token) not in self._valid:
            raise self._refusal(wait)

    def succeeded(self, token: str) -> None:
        """Note that a token is valid."""
        if hash(token) not in self._valid:
            self._valid[hash(token)] = True

    async def failed(self, address: str) -> None:
        """Count a wrong token; raise `RateLimited` if too many from its address were wrong."""
        if address and (wait := await self._limiter.take(network_of(address))):
            raise self._refusal(wait)

    def _refusal(self, wait: float) -> RateLimited:
        self._refusals["authentication"] += 1
        return RateLimited("Too many requests with a wrong token from this network address", retry_after=wait)


@lru_cache(maxsize=1_000)
def network_of(address: str) -> str:
    """Return the part of an address that identifies a caller."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, _IPV6_PREFIX), strict=False))
    return address
