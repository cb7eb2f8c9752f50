"""What a parser makes of one file or page: plain text, where each passage stands, and what it points at."""

from dataclasses import dataclass
from typing import Literal

LinkKind = Literal["link", "wiki", "doi", "arxiv"]


@dataclass(frozen=True, slots=True)
class Link:
    """Something a document points at, as written there."""

    target: str
    """A URL, a relative path, a title (`wiki`), or a bare identifier (`doi`, `arxiv`)."""
    kind: LinkKind
    start: int
    """Where in the text it stands; its surroundings are the citation's context."""


@dataclass(frozen=True, slots=True)
class Place:
    """From this character of the text on, until the next place: page, heading and line of the original."""

    start: int
    page: int | None = None
    heading: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """One file or page, ready to be stored; texts are NFC, without control, zero-width and bidirectional characters."""

    title: str
    text: str
    date: str | None = None
    """ISO 8601: from the document itself; what the source knows (folder, file time) is added later."""
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    language: str | None = None
    """ISO 639-1."""
    canonical_url: str | None = None
    doi: str | None = None
    links: tuple[Link, ...] = ()
    places: tuple[Place, ...] = ()
