"""What a search backend is: asked a question, it answers with one page and how to go on."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from indexer.tenancy import Principal
from mcp_server.features.quilt.query.question import Question
from mcp_server.features.quilt.results import Backend, CatalogHit

Position = list[Any]
"""Where reading goes on, as a cursor of ours carries it."""

CAPABILITIES: Final[dict[Backend, list[str]]] = {
    "graphql": ["metadata_search", "content_search", "metadata_filters", "ordering"],
    "elasticsearch": ["metadata_search", "content_search"],
}


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of the results is wanted; without a limit only their number."""

    limit: int | None
    position: Position | None = None
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """One page. `after` says where to go on after so many of its hits, None after the last of all."""

    hits: list[CatalogHit]
    total: int | None
    """The catalog's count; None on a later page, which repeats the first one's."""
    after: Callable[[int], Position | None]
    skipped_buckets: list[str] = field(default_factory=list)
    at_least: bool = False
    """Whether the catalog stopped counting."""


class SearchBackend(Protocol):
    """Exactly one request goes out for a page, but for what must be learnt about the catalog first."""

    name: Backend

    async def search(self, principal: Principal, question: Question, page: Page) -> Found: ...
