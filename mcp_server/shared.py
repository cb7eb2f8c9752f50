"""State that all processes of a service share in Redis, changed by scripts: limits, circuit breakers, responses."""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mcp_server.redis_scripts import RedisScripts

_REDIS_RETRY_SECONDS: Final = 2.0


class Shared:
    """The shared state of one area. It connects at the first use."""

    def __init__(
        self,
        url: str | None,
        *,
        area: str = "upstream",
        patience: float = 1.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep the keys of each area apart; without a URL nothing is shared."""
        self._url = url
        self._prefix = f"trawl:{area}:"
        self._timeout = patience
        self._now = now
        self._unavailable_until = 0.0
        self._scripts: RedisScripts | None = None

    async def run(self, script: str, keys: Sequence[str], arguments: Sequence[str | bytes | int]) -> Any | None:
        """Run a script on keys of this area; None while Redis is unavailable or not configured."""
        if self._url is None or self._now() < self._unavailable_until:
            return None
        from mcp_server.redis_scripts import RedisScripts, RedisUnavailable  # noqa: PLC0415 - see there

        if self._scripts is None:
            self._scripts = RedisScripts(self._url, self._timeout)
        try:
            return await self._scripts.run(script, [self._prefix + key for key in keys], arguments)
        except RedisUnavailable:
            # Calls must not wait for the timeout each time, so Redis is tried again only after a while.
            self._unavailable_until = self._now() + _REDIS_RETRY_SECONDS
            return None

    async def aclose(self) -> None:
        """Close the connections to Redis."""
        if self._scripts is not None:
            await self._scripts.aclose()
            self._scripts = None
