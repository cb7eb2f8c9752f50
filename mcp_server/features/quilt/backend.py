"""The interface of the search backends: a query and a page request in, one page of hits out."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from indexer.tenancy import Principal
from mcp_server.features.quilt.query.catalog_query import CatalogQuery
from mcp_server.features.quilt.results import Backend, CatalogHit

Position = list[Any]
"""Where the next page begins; stored in Trawl's own cursor."""

CAPABILITIES: Final[dict[Backend, list[str]]] = {
    "graphql": ["metadata_search", "content_search", "metadata_filters", "ordering"],
    "elasticsearch": ["metadata_search", "content_search"],
}


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The requested part of the results; without a limit only their number."""

    limit: int | None
    position: Position | None = None
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class PageResult:
    """One page. `position_after` takes a number of its hits and returns the next position, None at the end."""

    hits: list[CatalogHit]
    total: int | None
    """The catalog's count; None on later pages, which repeat the count of the first."""
    position_after: Callable[[int], Position | None]
    skipped_buckets: list[str] = field(default_factory=list)
    total_is_lower_bound: bool = False
    """Whether the catalog stopped counting at the total."""


class SearchBackend(Protocol):
    """Sends one request per page; the first page may need more requests to inspect the catalog."""

    name: Backend

    async def search(self, principal: Principal, query: CatalogQuery, page: PageRequest) -> PageResult: ...

    async def searchable_buckets(self, principal: Principal, *, fresh: bool) -> list[str] | None:
        """Ask the catalog which buckets can be searched; None where it cannot list them."""
