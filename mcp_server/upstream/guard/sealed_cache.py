"""A cache of responses that all processes share over Redis; only those with the service's key can read it."""

from typing import Final

from mcp_server.shared import Shared
from mcp_server.upstream.guard.cache import ResponseCache
from mcp_server.upstream.sealing import Sealer

_MAX_BYTES: Final = 1_000_000

_GET: Final = "return redis.call('GET', KEYS[1])"
_PUT: Final = "return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])"


class SealedCache:
    """Looks into this process first. Names are hashes already; each body is sealed under its name."""

    def __init__(self, name: str, key: bytes, seconds: float, shared: Shared) -> None:
        self._sealer = Sealer(key, b"trawl answers\0" + name.encode())
        self._prefix = f"{name}:answer:"
        self._milliseconds = round(seconds * 1_000)
        self._shared = shared
        self._local = ResponseCache(seconds)

    async def get(self, name: str) -> bytes | None:
        if (local := await self._local.get(name)) is not None:
            return local
        sealed = await self._shared.run(_GET, [self._prefix + name], [])
        return None if sealed is None else self._sealer.open(sealed, name)

    async def put(self, name: str, body: bytes) -> None:
        await self._local.put(name, body)
        if self._milliseconds < 1 or len(body) > _MAX_BYTES:
            return
        await self._shared.run(_PUT, [self._prefix + name], [self._sealer.seal(body, name), self._milliseconds])
