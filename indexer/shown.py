"""What a caller has seen already: digests by which a cursor remembers hits, short because a model reads the cursor."""

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Collection
from typing import Annotated, Final

from pydantic import BeforeValidator, PlainSerializer

_BYTES: Final = 6
"""With so many, one in 2.8 million reads of a million hits takes a new hit for one of a hundred shown ones."""


def shown_digest(id_: bytes) -> bytes:
    """Return the digest of a hit."""
    return hashlib.blake2b(id_, digest_size=_BYTES).digest()


def _join(digests: Collection[bytes]) -> str:
    return b64encode(b"".join(sorted(digests))).decode()


def _split(joined: str) -> frozenset[bytes]:
    raw = b64decode(joined)
    return frozenset(raw[start : start + _BYTES] for start in range(0, len(raw), _BYTES))


ShownHits = Annotated[frozenset[bytes], PlainSerializer(_join), BeforeValidator(_split)]
"""Digests of hits; one text in a cursor."""
