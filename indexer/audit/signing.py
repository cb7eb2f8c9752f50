"""Keyed hashes of the audit trail. All keys of the service verify; the first one signs."""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

import orjson

_PURPOSE: Final = b"trawl audit\0"


def audit_keys(keys: Sequence[bytes]) -> tuple[bytes, ...]:
    """Derive the keys of the audit trail from the service's secret keys, the current one first."""
    return tuple(hashlib.sha256(_PURPOSE + key).digest() for key in keys)


def sign(key: bytes, *values: str | int | None) -> str:
    """Return the signature of some values; the first one says what they are."""
    return hmac.digest(key, orjson.dumps(values), "sha256").hex()


def signing_key(keys: Sequence[bytes], signature: str, *values: str | int | None) -> bytes | None:
    """Return the key that signed these values; None if none of them did."""
    return next((key for key in keys if hmac.compare_digest(sign(key, *values), signature)), None)
