"""Sealing: encrypts what leaves the process, so that only processes with the service's key can read it (AES-GCM)."""

import secrets
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_NONCE_BYTES: Final = 12


class Sealer:
    """Seals values for one purpose, with a key derived from the service's key."""

    def __init__(self, key: bytes, purpose: bytes) -> None:
        self._cipher = AESGCM(HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(key))

    def seal(self, value: bytes, name: str) -> bytes:
        """Encrypt a value; it can be opened only under the same name."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, value, name.encode())

    def open(self, sealed: bytes, name: str) -> bytes | None:
        """Decrypt a value; None if it was changed, or sealed with another key or name."""
        try:
            return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], name.encode())
        except (InvalidTag, ValueError):
            return None
