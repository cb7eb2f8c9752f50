"""What a source of documents is to the jobs: it lists, it reads, and it says what is still there.

`opening.py` beside this file offers, for all kinds of sources:

- `check_source(source, settings)`: raises `PlatformError` for what is refused wherever it runs; it contacts nothing,
  and does not need to see the folder (the door calls it before a job is recorded).
- `open_source(source, settings, staging, recall) -> Source`: raises `PlatformError` if this source cannot be read here.
- `open_staging(data_dir) -> Staging`: where uploads wait for their job.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

from indexer.archives.incoming import HttpCacheHeaders
from indexer.tenancy import DocumentId

CacheHeaderLookup = Callable[[DocumentId], HttpCacheHeaders | None]
"""Returns what the archive knows of when a document was read last."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to read, kept as JSON until its turn comes; both strings are valid Unicode without lone surrogates."""

    path: str
    """As the archive shows it."""
    locator: str
    """The source's own way to find it again, in another process too."""
    size: int
    """Bytes, as far as the listing knows; 0 where it does not."""


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A thing that is not taken, and why; the reason finishes the sentence "this file …"."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Item:
    """What was read, with all that the source knows of it."""

    data: bytes
    name: str
    """For the parser: its extension says the kind."""
    id: DocumentId
    source: Literal["research", "url"]
    root: str
    url: str | None
    fallback_date: str
    """ISO 8601."""
    validators: HttpCacheHeaders | None = None


@dataclass(frozen=True, slots=True)
class NotModified:
    """A document of the archive that is still as it was read last, as its source says."""

    id: DocumentId


class Source(Protocol):
    """A folder, an upload, pages, or a bucket. `read` is called from several threads at once."""

    @property
    def origin(self) -> str:
        """Tells its documents from those of other sources of the same name; empty where paths alone do."""

    @property
    def remote(self) -> bool:
        """Whether reading goes over a network: then each thing is read once only, by whoever parses it."""

    def list(self) -> Iterator[Entry | SkippedFile]:
        """Yield everything, lazily, so that memory stays bounded; `PlatformError` if the source itself is gone."""

    def read(self, entry: Entry) -> Item | SkippedFile | NotModified:
        """Read one thing; what is gone or unreadable by now is refused with its reason."""

    def still_there(self, path: str) -> bool:
        """Say whether a document of this origin, by its path, is still offered; `PlatformError` if nobody can tell."""


class Staging(Protocol):
    """Uploads that wait for their job."""

    def staged(self) -> list[tuple[str, float]]:
        """Return the id of each upload and when it was complete, in seconds since 1970."""

    def discard(self, staged: str) -> None:
        """Remove an upload; no error if it is gone."""
