"""What an engine must be able to do: three small roles, in terms of the AST and of definitions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from indexer.query.ast import Query, SortKey
from indexer.schema.definition import IndexDefinition, SortType
from indexer.schema.values import Scalar
from indexer.tenancy import DocumentId, PhysicalName

Json = Any
"""A value that came from JSON: the one boundary where types are not known."""


@dataclass(frozen=True, slots=True)
class Target:
    """One physical index and how it is defined."""

    physical: PhysicalName
    definition: IndexDefinition


@dataclass(frozen=True, slots=True)
class Document:
    """A document as an engine keeps it; made by `local/mapping.py` from what a user gave."""

    id: DocumentId
    revision: int
    text: str
    """Normalised (NFC); what words and phrases are looked for in, stored and returned as it is."""
    payload: bytes
    """JSON, stored and given back byte for byte, never searched: a local document's metadata, an archive's fields."""
    terms: tuple[str, ...] = ()
    """Typed key-value terms (`schema/metadata_terms.py`), for filters and facets."""
    keys: tuple[str, ...] = ()
    """One `type + field` term (`schema/metadata_terms.py`) for each field that has a value of that type."""
    sortable: Mapping[str, Scalar] = field(default_factory=dict)
    """The declared fields' values: strings, numbers as floats, dates as microseconds since 1970, booleans."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One found document; `text` and `payload` only where asked for."""

    id: DocumentId
    score: float
    revision: int
    payload: bytes
    text: str
    highlights: tuple[str, ...]
    explanation: str | None
    position: list[Json]
    """Where a next page goes on; JSON, opaque above the port. Empty on a first page by score without a view."""


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value and how many matching documents have it."""

    value: Scalar
    count: int


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """A whole answer; a partial one is a failure instead."""

    hits: list[Hit]
    total: int
    facets: dict[str, list[FacetValue]]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One request to `Reader.search`."""

    query: Query
    size: int
    sort: tuple[SortKey, ...] = ()
    """Empty: by score, best first. Else by these, missing last, ties by id ascending."""
    facets: tuple[str, ...] = ()
    """For each field the ten biggest values, by count, then value (strings before numbers before booleans)."""
    snippets: int = 0
    """How many highlights a hit may have; 0 for none."""
    text: bool = False
    payload: bool = True
    explain: bool = False
    without: tuple[DocumentId, ...] = ()
    """Left out of the hits (and of the total): what a first page by score has shown."""
    view: str | None = None
    after: list[Json] | None = None


@dataclass(frozen=True, slots=True)
class KeyCount:
    """How many documents have a value of this type in this field."""

    field: str
    type: SortType
    documents: int


@dataclass(frozen=True, slots=True)
class Size:
    """How big a physical index is."""

    documents: int
    size_bytes: int


class Reader(Protocol):
    """Reading, for the request path. Raises `MissingIndex` where the physical index is not there."""

    async def search(self, target: Target, wanted: SearchRequest) -> SearchResponse:
        """Find; `TimedOut` after the configured time, `ExpiredView` for a view that is gone."""

    async def open_view(self, target: Target) -> str:
        """Freeze the index as it is now for pages by score; expires after some minutes of silence."""

    async def close_view(self, view: str) -> None:
        """Give a view back that nobody will ask for again: an engine keeps only some hundreds. Never fails."""

    async def get(self, target: Target, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        """Return each document as last written, in the order asked, without terms, keys and sortable values."""

    async def keys(self, target: Target) -> list[KeyCount]:
        """Return all fields that any document has, with their types, at most 1,000."""

    async def size(self, target: Target) -> Size: ...

    async def health(self) -> None:
        """Return if the engine can answer, raise `Unavailable` if not."""

    async def close(self) -> None: ...


WriteStatus = Literal["created", "updated", "superseded", "failed"]
DeleteStatus = Literal["deleted", "absent", "superseded"]


@dataclass(frozen=True, slots=True)
class Written:
    """What became of one document: `superseded` means a newer revision is there already."""

    id: DocumentId
    status: WriteStatus
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Deletion:
    """Remove this document unless it is newer than this revision."""

    id: DocumentId
    revision: int


@dataclass(frozen=True, slots=True)
class Deleted:
    """What became of one deletion."""

    id: DocumentId
    status: DeleteStatus


class Writer(Protocol):
    """Writing and scanning, blocking; the request path calls it in a thread. `MissingIndex` as in `Reader`."""

    def create(self, target: Target, alias: str) -> None:
        """Make the physical index, and point the alias at it if nothing is behind it; no error if it is there."""

    def drop(self, physical: PhysicalName) -> None:
        """Remove a physical index; no error if it is gone."""

    def publish(self, alias: str, physical: PhysicalName) -> None:
        """Point the alias at this physical index alone, in one step."""

    def physical_names(self, prefix: str) -> list[PhysicalName]:
        """List the physical indices that exist with this prefix."""

    def write(self, target: Target, documents: Sequence[Document]) -> list[Written]:
        """Write each document unless a newer revision is there; in the order given, one outcome each."""

    def delete(self, target: Target, deletions: Sequence[Deletion]) -> list[Deleted]:
        """Delete each document unless a newer revision is there; in the order given, one outcome each."""

    def refresh(self, target: Target) -> None:
        """Return when everything acknowledged before is found by searches."""

    def get_many(self, target: Target, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        """As `Reader.get`, blocking."""

    def count(self, target: Target) -> int:
        """Return how many documents searches find."""

    def scan(self, target: Target, *, text: bool) -> Iterator[list[Document]]:
        """Yield all documents as they were at the start, whole (`text=False`: ids and revisions only), in batches."""

    def health(self) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Record:
    """A small durable value and the revision to name when changing it."""

    key: str
    value: Mapping[str, Json]
    revision: str


class Records(Protocol):
    """Small things that need compare-and-set, not relevance. A list may lag; decide by `get`. Blocking."""

    def get(self, kind: str, key: str) -> Record | None: ...

    def put_if(self, kind: str, key: str, value: Mapping[str, Json], revision: str | None) -> Record | None:
        """Write if the record still has this revision (None: does not exist yet); return None if it has not."""

    def delete_if(self, kind: str, key: str, revision: str) -> bool: ...

    def list(self, kind: str, prefix: str = "") -> list[Record]:
        """Return all records of a kind whose key starts so, by key."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine's three roles."""

    name: Literal["tantivy", "opensearch"]
    reader: Reader
    writer: Writer
    records: Records
