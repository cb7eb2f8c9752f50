"""Runs scripts in Redis. Only this module imports the client, which a service needs only after its start."""

from collections.abc import Sequence
from typing import Any, Final

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

_MAX_CONNECTIONS: Final = 32


class RedisUnavailable(Exception):
    """Redis did not run the script."""


class RedisScripts:
    """A pool of connections, which connect at the first use."""

    def __init__(self, url: str, timeout: float) -> None:
        pool = BlockingConnectionPool.from_url(
            url.replace("redis+socket://", "unix://", 1),
            max_connections=_MAX_CONNECTIONS,
            timeout=timeout,
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            retry=Retry(NoBackoff(), 0),
        )
        self._redis = Redis.from_pool(pool)
        self._scripts: dict[str, Any] = {}

    async def run(self, script: str, keys: Sequence[str], arguments: Sequence[str | bytes | int]) -> Any:
        if script not in self._scripts:
            self._scripts[script] = self._redis.register_script(script)
        try:
            return await self._scripts[script](list(keys), arguments)
        except (RedisError, OSError, TimeoutError):
            raise RedisUnavailable from None

    async def aclose(self) -> None:
        """Close the connections."""
        await self._redis.aclose(close_connection_pool=True)
