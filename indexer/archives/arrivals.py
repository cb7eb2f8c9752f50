"""A parsed file or page together with what its source knows about it."""

from dataclasses import dataclass
from typing import Literal

from indexer.archives.parsed import ParsedDocument
from indexer.tenancy import DocumentId

Source = Literal["research", "url"]


@dataclass(frozen=True, slots=True)
class Arrival:
    """One document on its way into an archive."""

    id: DocumentId
    path: str
    """The ingested folder's name and the way below it, or the address of a page; never absolute."""
    source: Source
    root: str
    """The folder or host that it belongs to: what a mirror compares with."""
    url: str | None
    fallback_date: str
    """ISO 8601: from a dated folder or the file's time, for documents that give no date themselves."""
    version: str
    """Differs whenever the raw bytes or the way of reading them differ."""
    parsed: ParsedDocument
