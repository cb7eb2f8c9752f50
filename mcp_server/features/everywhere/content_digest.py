"""Digests of texts: a document that is in the archive and in an index is one result."""

import re
from hashlib import blake2b
from string import punctuation
from typing import Final

_LINK_TARGETS: Final = re.compile(r"\]\([^()\s]*\)")
"""The archive stores Markdown as it reads, and an index as it is written."""
_BLANKS: Final = str.maketrans(dict.fromkeys(punctuation, " "))
_MAX_LENGTH: Final = 200_000
"""Longer texts get no digest, because hashing them would slow down every search."""


def content_digest(text: str) -> str | None:
    """Return a digest of the words, without regard to case and punctuation; None for a blank or a long text."""
    if len(text) > _MAX_LENGTH:
        return None
    words = _LINK_TARGETS.sub(" ", text).lower().translate(_BLANKS).split()
    return blake2b(" ".join(words).encode(), digest_size=16).hexdigest() if words else None
