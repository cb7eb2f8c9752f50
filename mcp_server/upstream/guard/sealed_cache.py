"""Answers that all processes share over Redis, where only those with the service's key can read them."""

import secrets
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from mcp_server.upstream.guard.cache import AnswerCache
from mcp_server.upstream.guard.guard import Shared

_NONCE_BYTES: Final = 12
_LARGEST: Final = 1_000_000

_GET: Final = "return redis.call('GET', KEYS[1])"
_PUT: Final = "return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])"


class SealedCache:
    """Looks in this process first. Names are hashes already; each body is sealed together with its own."""

    def __init__(self, name: str, key: bytes, seconds: float, shared: Shared) -> None:
        derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"trawl answers\0" + name.encode()).derive(key)
        self._cipher = AESGCM(derived)
        self._place = f"{name}:answer:"
        self._milliseconds = round(seconds * 1_000)
        self._shared = shared
        self._near = AnswerCache(seconds)

    async def get(self, name: str) -> bytes | None:
        if (near := await self._near.get(name)) is not None:
            return near
        sealed = await self._shared.run(_GET, [self._place + name], [])
        if sealed is None:
            return None
        try:
            return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], name.encode())
        except (InvalidTag, ValueError):
            return None  # somebody else wrote that

    async def put(self, name: str, body: bytes) -> None:
        await self._near.put(name, body)
        if self._milliseconds < 1 or len(body) > _LARGEST:
            return
        nonce = secrets.token_bytes(_NONCE_BYTES)
        sealed = nonce + self._cipher.encrypt(nonce, body, name.encode())
        await self._shared.run(_PUT, [self._place + name], [sealed, self._milliseconds])
