"""Where rotated tokens live: in the service's records, so that neither a restart nor a lost Redis loses them."""

import asyncio
import secrets
from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Final

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from indexer.engines.port import Records
from indexer.errors import PlatformError

_KIND: Final = "upstream_tokens"
_NONCE_BYTES: Final = 12


@dataclass(frozen=True, slots=True)
class Issued:
    """What a registry gave last."""

    refresh_token: str
    access_token: str
    expires_at: float
    """Seconds since 1970."""


class TokenStore:
    """One connection's tokens, sealed with the service's key. All processes see the same; without records, none."""

    def __init__(self, records: Records | None, key: bytes, name: str) -> None:
        self._records = records
        self._name = name
        self._cipher = AESGCM(HKDF(algorithm=SHA256(), length=32, salt=None, info=b"trawl quilt token").derive(key))

    async def get(self) -> Issued | None:
        """Return what was kept last; None also where it cannot be read."""
        try:
            return await asyncio.to_thread(self._read)
        except PlatformError:
            return None  # the engine is away; what this process holds must do

    async def put(self, issued: Issued) -> None:
        """Keep this instead of what was kept; where the engine is away, only this process knows it."""
        try:
            await asyncio.to_thread(self._write, issued)
        except PlatformError:
            return

    def _read(self) -> Issued | None:
        record = None if self._records is None else self._records.get(_KIND, self._name)
        if record is None:
            return None
        sealed = b64decode(str(record.value.get("sealed", "")))
        try:
            raw = self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], self._name.encode())
        except (InvalidTag, ValueError):
            return None  # made with another key
        return Issued(*orjson.loads(raw))

    def _write(self, issued: Issued) -> None:
        if self._records is None:
            return
        nonce = secrets.token_bytes(_NONCE_BYTES)
        raw = orjson.dumps([issued.refresh_token, issued.access_token, issued.expires_at])
        sealed = nonce + self._cipher.encrypt(nonce, raw, self._name.encode())
        written = None
        while written is None:
            known = self._records.get(_KIND, self._name)
            revision = None if known is None else known.revision
            written = self._records.put_if(_KIND, self._name, {"sealed": b64encode(sealed).decode()}, revision)
