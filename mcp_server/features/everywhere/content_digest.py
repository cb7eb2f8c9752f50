"""Digests of texts: a document that is in the archive and in an index is one result."""

import re
from hashlib import blake2b
from typing import Final

_WORDS: Final = re.compile(r"\w+")
_MAX_LENGTH: Final = 200_000
"""Longer texts get no digest, because hashing them would slow down every search."""


def content_digest(text: str) -> str | None:
    """Return a digest of the words, without regard to case and punctuation; None for a blank or a long text."""
    words = _WORDS.findall(text.lower()) if len(text) <= _MAX_LENGTH else []
    return blake2b(" ".join(words).encode(), digest_size=16).hexdigest() if words else None
