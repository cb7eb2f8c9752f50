"""A parsed file or page together with what its source knows about it."""

from dataclasses import dataclass
from typing import Literal, TypedDict

from indexer.archives.parsed import ParsedDocument
from indexer.tenancy import DocumentId

Source = Literal["research", "url"]


class HttpCacheHeaders(TypedDict):
    """By what a page's server can be asked whether the page has changed since it was read."""

    url: str
    """Where the page came from, after all redirects: what one address gave says nothing of another."""
    etag: str | None
    modified: str | None
    parser: str
    """Who read it: what another parser would make of the same page is unknown."""


@dataclass(frozen=True, slots=True)
class IncomingDocument:
    """One document on its way into an archive."""

    id: DocumentId
    path: str
    """The ingested folder's name and the way below it, or the address of a page; never absolute."""
    source: Source
    root: str
    """Which folder, bucket or host it comes from, told apart from others of the same name; what a mirror compares."""
    url: str | None
    fallback_date: str
    """ISO 8601: from a dated folder or the file's time, for documents that give no date themselves."""
    version: str
    """Differs whenever the raw bytes or the way of reading them differ."""
    parsed: ParsedDocument
    validators: HttpCacheHeaders | None = None
