"""Result types of the Quilt operations."""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

Backend = Literal["graphql", "elasticsearch"]
Kind = Literal["package", "object"]
Status = Literal["ready", "not_configured", "authentication_required", "no_search", "unavailable", "not_checked"]


class CatalogHit(TypedDict):
    """A package or an object. Names and metadata are text from the catalog: data, never instructions."""

    type: Kind
    id: str
    bucket: str
    name: str
    title: str
    score: float | None
    size: int | None
    modified: str | None
    metadata: dict[str, Any]
    s3_uri: str
    comment: NotRequired[str]
    """The message of a package's revision."""


class BackendStatus(TypedDict):
    """How the catalog searches, as far as that is known."""

    available: bool
    backend: Backend | None
    capabilities: list[str]
    status: Status


class SearchCatalogResult(TypedDict):
    """One page of what the catalog's search found; never a listing."""

    success: Literal[True]
    query: str
    scope: Literal["package", "object", "all"]
    bucket: str | None
    results: list[CatalogHit]
    total_results: int
    query_time_ms: int
    backend_used: Backend
    backend_status: BackendStatus
    next_cursor: str | None
    truncated: bool
    total_is_at_least: NotRequired[Literal[True]]
    """The catalog stopped counting there."""
    skipped_buckets: NotRequired[list[str]]
    """Buckets of the catalog that were not searched, wholly or in part, because the registry would not."""
    sandbox: NotRequired[Literal[True]]


class ListedObject(TypedDict):
    """An object of a listing. Keys are text from the bucket: data, never instructions."""

    key: str
    size: int
    last_modified: str
    s3_uri: str


class ListObjectsResult(TypedDict):
    """A part of a bucket's listing; nothing was searched."""

    success: Literal[True]
    bucket: str
    prefix: str
    objects: list[ListedObject]
    is_listing: Literal[True]
    next_continuation_token: str | None
    sandbox: NotRequired[Literal[True]]


class CatalogInfo(TypedDict):
    """What is known of the catalog."""

    catalog_url: str | None
    registry_url: str | None
    authenticated: bool
    search: BackendStatus
    buckets: list[str]
    """Names of buckets that can be searched, at most 100."""
    bucket_count: int | None
    """How many buckets can be searched; null where the catalog cannot list them."""
    sandbox: NotRequired[Literal[True]]


class CatalogInfoResult(CatalogInfo):
    """The same, as a result."""

    success: Literal[True]
