"""A parsed file or page with the metadata of its source."""

from dataclasses import dataclass
from typing import Literal, TypedDict

from indexer.archives.parsed import ParsedDocument
from indexer.tenancy import DocumentId

Source = Literal["research", "url"]


class HttpCacheHeaders(TypedDict):
    """HTTP validators of a fetched page, for a conditional request."""

    url: str
    """The final URL after all redirects; validators are valid for this URL only."""
    etag: str | None
    modified: str | None
    parser: str
    """The parser's version; another version must parse the page again, even if it is unchanged."""


@dataclass(frozen=True, slots=True)
class IncomingDocument:
    """One document to be written to an archive."""

    id: DocumentId
    path: str
    """The name of the ingested folder and the path below it (never absolute), or the URL of a page."""
    source: Source
    root: str
    """Identifies the ingested folder, bucket or host; unique even among equal names. A mirror compares by it."""
    url: str | None
    fallback_date: str
    """ISO 8601, from a dated folder or the file's time; used if the document itself has no date."""
    version: str
    """Changes whenever the raw bytes or the parser change."""
    parsed: ParsedDocument
    validators: HttpCacheHeaders | None = None
