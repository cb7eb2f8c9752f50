"""The result of a parser: plain text, places (page, heading, line) and links of one file or page."""

from dataclasses import dataclass
from typing import Literal

LinkKind = Literal["link", "wiki", "doi", "arxiv"]


@dataclass(frozen=True, slots=True)
class Link:
    """A link or identifier in a document, as written there."""

    target: str
    """A URL, a relative path, a title (`wiki`), or a bare identifier (`doi`, `arxiv`)."""
    kind: LinkKind
    start: int
    """Its offset in the text; the text around it becomes the citation's context."""


@dataclass(frozen=True, slots=True)
class Place:
    """Page, heading and line in the original of the text from `start` to the next place."""

    start: int
    page: int | None = None
    heading: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """One parsed file or page. All texts are NFC without control, zero-width and bidirectional characters."""

    title: str
    text: str
    date: str | None = None
    """ISO 8601, from the document itself; `IncomingDocument.fallback_date` has the date of its source."""
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    language: str | None = None
    """ISO 639-1."""
    canonical_url: str | None = None
    doi: str | None = None
    links: tuple[Link, ...] = ()
    places: tuple[Place, ...] = ()
