"""The port: the one interface between Trawl and a search engine.

An engine has three roles. `Reader` serves searches on the event loop. `Writer` writes and scans indices, blocking.
`Records` stores small values with compare-and-set. `tantivy/` and `opensearch/` implement all three.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from indexer.engines.audit_port import AuditLog
from indexer.engines.counts import FacetValue, KeyCount, Size, WordCount
from indexer.engines.query_parts import ScorePart
from indexer.engines.record_port import Records
from indexer.query.ast import Query, SortKey
from indexer.schema.definition import IndexDefinition
from indexer.schema.values import Scalar
from indexer.tenancy import DocumentId, PhysicalName

Json = Any
"""A parsed JSON value. This is the one boundary where static types end."""
VIEW_IDLE_SECONDS: Final = 300
"""An engine closes a view after this time without use."""


@dataclass(frozen=True, slots=True)
class Target:
    """One physical index (one generation of a logical index) and its definition."""

    physical: PhysicalName
    definition: IndexDefinition


@dataclass(frozen=True, slots=True)
class Document:
    """A document as an engine stores it. `local/mapping.py` and `archives/mapping.py` build it from user input."""

    id: DocumentId
    revision: int
    """Decides conflicts: a write replaces a document only if its revision is higher."""
    text: str
    """The searchable text in Unicode NFC, stored and returned unchanged."""
    payload: bytes
    """JSON, returned byte for byte and never searched: a local document's metadata or an archive document's fields."""
    terms: tuple[str, ...] = ()
    """One `type, field, value` term for each metadata value (`schema/metadata_terms.py`), for filters and facets."""
    keys: tuple[str, ...] = ()
    """One `type, field` term for each field and type of value, for `Exists` filters and `Reader.keys`."""
    sortable: Mapping[str, Scalar] = field(default_factory=dict)
    """Values of the declared sortable fields: strings, floats, booleans, and dates as microseconds since 1970."""


Matched = Literal["exact", "fuzzy", "meaning"]
"""How a hit was found. `exact`: also without corrections; `fuzzy`: only by a correction of a misspelt word."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One matching document. Parts that the request did not ask for are empty."""

    id: DocumentId
    score: float
    revision: int
    payload: bytes
    text: str
    highlights: tuple[str, ...]
    """HTML fragments of the text with matches in `<mark>`, neighbouring ones in the same; best first."""
    explanation: str | None
    parts: tuple[ScorePart, ...]
    """Best first; filters, which add nothing, last. The scores add up to the hit's."""
    matched: Matched
    position: list[Json]
    """Pass it as `SearchRequest.after` to continue here; opaque. Empty for a search by score without a view."""


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """A complete response. An engine raises an error instead of returning partial results."""

    hits: list[Hit]
    total: int
    """The exact number of matches."""
    facets: dict[str, list[FacetValue]]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One request to `Reader.search`."""

    query: Query
    size: int
    """The maximum number of hits."""
    sort: tuple[SortKey, ...] = ()
    """Empty: by score, best first, or `by_id`. Otherwise by these keys, missing values last, ties by ascending id."""
    by_id: bool = False
    facets: tuple[str, ...] = ()
    """For each field, return the `facet_values` most frequent ones. Ties go by strings, then numbers, then booleans."""
    facet_values: int = 10
    snippets: int = 0
    """The maximum number of highlights for each hit."""
    text: bool = False
    payload: bool = True
    explain: bool = False
    """Whether to explain the scores of the first hits, as many as `cost.EXPLAINED_HITS`."""
    parts: bool = False
    view: str | None = None
    """A view from `Reader.open_view`, so that all pages by score see the same snapshot."""
    after: list[Json] | None = None
    """The `position` of the last hit of the previous page."""


class Reader(Protocol):
    """Searches and reads for the request path. Every method raises `MissingIndex` if the physical index is gone."""

    async def search(self, target: Target, request: SearchRequest) -> SearchResponse:
        """Run one search. Raises `TimedOut` after the search timeout, `ExpiredView` if the request's view is gone."""

    async def open_view(self, target: Target) -> str:
        """Take a snapshot of the index for pages by score. It expires after five minutes without use."""

    async def close_view(self, view: str) -> None:
        """Release a view early, since each holds files or a search context. Never raises for a view that is gone."""

    async def get(self, target: Target, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        """Return the latest version of each document in the order of `ids`, without terms, keys and sortable values."""

    async def nearby_words(self, target: Target, tokens: Sequence[str]) -> dict[str, list[WordCount]]:
        """Return, for each token whose stem occurs in no document, the nearest words within `max_edits` of it."""

    async def internal_values(self, target: Target, name: str, limit: int) -> list[FacetValue]:
        """Return the most frequent values of an internal term with their documents; ties by value, long ones cut."""

    async def keys(self, target: Target) -> list[KeyCount]:
        """Return the metadata fields of the index with their types, at most 1,000, sorted by name."""

    async def size(self, target: Target) -> Size: ...

    async def health(self) -> None:
        """Return if the engine can serve requests; raise `Unavailable` if it cannot."""

    async def close(self) -> None: ...


WriteStatus = Literal["created", "updated", "superseded", "failed"]
"""`superseded`: the index has this revision or a newer one. `failed`: the engine rejected this document."""
DeleteStatus = Literal["deleted", "absent", "superseded"]
"""`superseded`: the index has a newer revision."""


@dataclass(frozen=True, slots=True)
class Written:
    """The outcome of writing one document."""

    id: DocumentId
    status: WriteStatus
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Deletion:
    """A request to delete one document unless its revision is higher than this one."""

    id: DocumentId
    revision: int


@dataclass(frozen=True, slots=True)
class Deleted:
    """The outcome of one deletion."""

    id: DocumentId
    status: DeleteStatus


class Writer(Protocol):
    """Manages indices, writes and scans documents; blocking. Raises `MissingIndex` as `Reader` does."""

    def create(self, target: Target, alias: str) -> None:
        """Create the physical index and point the alias at it if the alias is unused. Idempotent."""

    def drop(self, physical: PhysicalName) -> None:
        """Delete a physical index. Idempotent."""

    def publish(self, alias: str, physical: PhysicalName) -> None:
        """Atomically point the alias at this physical index only."""

    def physical_names(self, prefix: str) -> list[PhysicalName]:
        """Return the physical indices whose names start with the prefix, sorted."""

    def write(self, target: Target, documents: Sequence[Document]) -> list[Written]:
        """Write each document unless the index has its revision or a newer one. Returns one outcome each, in order."""

    def delete(self, target: Target, deletions: Sequence[Deletion]) -> list[Deleted]:
        """Delete each document unless the index has a newer revision. Returns one outcome each, in order."""

    def refresh(self, target: Target) -> None:
        """Make all acknowledged writes visible to searches before returning."""

    def get_many(self, target: Target, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        """Return the same as `Reader.get`, blocking."""

    def revisions(self, target: Target, ids: Sequence[DocumentId]) -> dict[DocumentId, int]:
        """Return the revisions of those documents that exist, as last written."""

    def count(self, target: Target) -> int:
        """Return the number of documents that are visible to searches."""

    def scan(self, target: Target, *, text: bool) -> Iterator[list[Document]]:
        """Yield all documents of one snapshot in batches: complete, or with `text=False` only ids and revisions."""

    def health(self) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine's four roles."""

    name: Literal["tantivy", "opensearch"]
    reader: Reader
    writer: Writer
    records: Records
    audit: AuditLog
