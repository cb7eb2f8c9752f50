"""A stream of one kind of result, which is fetched page by page."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mcp_server.features.quilt.graphql.queries import GraphqlPageRequest
from mcp_server.features.quilt.graphql.responses import GraphqlPage
from mcp_server.features.quilt.results import CatalogHit, Kind

MAX_PAGE_SIZE: Final = 100
"""Some stacks reject larger pages."""


@dataclass(frozen=True, slots=True)
class _FetchedPage:
    after: str | None
    skip: int
    page: GraphqlPage


@dataclass(slots=True)
class Stream:
    """A position is a cursor of the catalog, and the number of hits after it that were shown already."""

    kind: Kind
    after: str | None = None
    skip: int = 0
    already_shown: int = 0
    """Number of hits on earlier pages."""
    total: int | None = None
    """The catalog's count; None before the first response."""
    buffer: list[CatalogHit] = field(default_factory=list)
    """Hits that were fetched but not used yet, in reverse order."""
    _fetched: list[_FetchedPage] = field(default_factory=list)

    @classmethod
    def from_position(cls, position: Sequence[Any]) -> "Stream":
        """Return a stream at a position from Trawl's own cursor."""
        kind, after, skip, already_shown, total = position
        return cls(kind, after, skip, already_shown, total)

    def next_request(self, limit: int | None) -> GraphqlPageRequest:
        """Return the request for the next page; without a limit only for the total."""
        size = None if limit is None else min(MAX_PAGE_SIZE, self.skip + limit)
        return GraphqlPageRequest(self.kind, size, self.after)

    def add(self, page: GraphqlPage) -> None:
        """Append a fetched page, and continue after it."""
        if self.total is None:
            self.total = page.total or 0
        self._fetched.append(_FetchedPage(self.after, self.skip, page))
        self.buffer = page.hits[self.skip :][::-1] + self.buffer
        self.after, self.skip = page.cursor, 0

    @property
    def needs_more(self) -> bool:
        """Whether the next hit must be fetched from the catalog."""
        return not self.buffer and self._has_more_after(len(self._fetched) - 1)

    def position(self, taken: int) -> list[Any] | None:
        """Return the position after so many hits of the present page; None at the end."""
        remaining = taken
        for number, fetched in enumerate(self._fetched):
            available = len(fetched.page.hits) - fetched.skip
            if remaining < available:
                return [self.kind, fetched.after, fetched.skip + remaining, self.already_shown + taken, self.total]
            if not self._has_more_after(number):
                return None
            remaining -= available
        return [self.kind, self.after, remaining, self.already_shown + taken, self.total]

    def _has_more_after(self, number: int) -> bool:
        """Return whether there are hits after a fetched page; some stacks return a cursor even at the end."""
        page = self._fetched[number].page
        read = self.already_shown + sum(
            len(fetched.page.hits) - fetched.skip for fetched in self._fetched[: number + 1]
        )
        return page.cursor is not None and bool(page.hits) and read < (self.total or 0)
