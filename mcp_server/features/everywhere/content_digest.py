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


def content_digests(text: str, title: str = "") -> frozenset[str]:
    """Return digests of the words, without regard to case and punctuation; none for a blank or a long text.

    A text that begins with its title has a second one without it: the archive puts titles before texts.
    """
    if len(text) > _MAX_LENGTH:
        return frozenset()
    words = _words(text)
    heading = _words(title)
    texts = [words, words[len(heading) :]] if heading and words[: len(heading)] == heading else [words]
    return frozenset(blake2b(" ".join(each).encode(), digest_size=16).hexdigest() for each in texts if each)


def _words(text: str) -> list[str]:
    return _LINK_TARGETS.sub(" ", text).lower().translate(_BLANKS).split()
