"""Decides which link targets count: paths and addresses as written; not fragments, mail, scripts or embedded data."""

import re
from typing import Final

from indexer.archives.parsed import LinkKind
from workers.parsers import identifiers
from workers.parsers.cleaning import clean

_SCHEME: Final = re.compile(r"([a-z][a-z0-9+.-]*):(//)?", re.IGNORECASE)
_LINE_BREAKS: Final = re.compile(r"[\t\n\r]")
_MAX_LENGTH: Final = 2_000


def classify_target(target: str) -> tuple[str, LinkKind] | None:
    """Return the cleaned target of a link and its kind, or None if it cannot be a document."""
    target = clean(_LINE_BREAKS.sub("", target)).strip()
    if not target or target[0] in "#?" or len(target) > _MAX_LENGTH:
        return None
    scheme = _SCHEME.match(target)
    if scheme is None:
        return target, "link"
    if identifier := identifiers.arxiv(target):
        return identifier, "arxiv"
    if scheme[2]:
        return None if scheme[1].lower() == "file" else (target, "link")
    identifier = identifiers.doi(target)
    return (identifier, "doi") if identifier else None
