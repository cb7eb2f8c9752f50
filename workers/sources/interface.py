"""The interface between ingestion jobs and a source of documents: list entries, read one, check that one exists.

`open.py` checks and opens every kind of source.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

from indexer.archives.incoming import HttpCacheHeaders
from indexer.tenancy import DocumentId
from workers.sources.skipped import SkippedFile, SkippedFiles

CacheHeaderLookup = Callable[[DocumentId], HttpCacheHeaders | None]
"""Returns the HTTP cache headers that the archive stored when it last read a document."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One listed file, page or object. Jobs store it as JSON, so both strings are Unicode without lone surrogates."""

    path: str
    """The path that the archive shows."""
    locator: str
    """How the source finds the entry again, also from another process."""
    size: int
    """Bytes according to the listing; 0 if unknown."""


@dataclass(frozen=True, slots=True)
class FailedFile:
    """An entry that could not be read, although its name says that it can be. The reason completes "this file …"."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Item:
    """The bytes of an entry, with all that the source knows about them."""

    data: bytes
    name: str
    """File name for the parser; its extension says the kind."""
    id: DocumentId
    source: Literal["research", "url"]
    origin: str
    """Identifies the folder, upload, bucket or host. The archive stores it as `root`."""
    url: str | None
    fallback_date: str
    """ISO 8601, used if the document itself has no date."""
    validators: HttpCacheHeaders | None = None


@dataclass(frozen=True, slots=True)
class NotModified:
    """The server of a page says that it has not changed since the archive read it."""

    id: DocumentId


Listed = Entry | FailedFile | SkippedFile | SkippedFiles
"""What becomes of a listed file. `SkippedFiles` counts many files that are not listed one by one."""


class Source(Protocol):
    """A folder, an upload, a list of pages, or a bucket. `read` is called from several threads at once."""

    @property
    def origin(self) -> str:
        """Identifies the source among others of the same name; empty for pages, which have an origin each."""

    @property
    def remote(self) -> bool:
        """Whether reading uses the network. A remote entry is read only once, by the chunk that parses it."""

    def list(self) -> Iterator[Listed]:
        """Yield every file once, lazily, so that memory stays bounded; `PlatformError` if the source itself is gone."""

    def read(self, entry: Entry) -> Item | FailedFile | SkippedFile | NotModified:
        """Read one entry; return `FailedFile` if it is gone or unreadable by now."""

    def still_there(self, path: str) -> bool:
        """Return whether `list` would name a document of this origin as an entry or as failed, by its path.

        `PlatformError` if that is unknown.
        """


class Staging(Protocol):
    """Uploads that wait for their job."""

    def staged(self) -> list[tuple[str, float]]:
        """Return the id of each complete upload and its time of completion in seconds since 1970."""

    def discard(self, upload_id: str) -> None:
        """Remove an upload; no error if it is gone."""
