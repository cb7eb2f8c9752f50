"""One kind of result, read page by page: what was fetched, what was taken of it, and where to go on."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mcp_server.features.quilt.graphql.answers import Answered
from mcp_server.features.quilt.graphql.queries import Ask
from mcp_server.features.quilt.results import CatalogHit, Kind

LARGEST_PAGE: Final = 100
"""Some stacks refuse larger ones."""


@dataclass(frozen=True, slots=True)
class _Fetched:
    after: str | None
    skip: int
    answer: Answered


@dataclass(slots=True)
class Stream:
    """A place is a cursor of the catalog and how many hits behind it were shown already."""

    kind: Kind
    after: str | None = None
    skip: int = 0
    shown: int = 0
    """Hits that earlier pages of ours had."""
    total: int | None = None
    """The catalog's count; None before the first answer."""
    waiting: list[CatalogHit] = field(default_factory=list)
    """Hits that were fetched and not taken yet, the next one last."""
    _fetched: list[_Fetched] = field(default_factory=list)

    @classmethod
    def at(cls, position: Sequence[Any]) -> "Stream":
        """Return a stream at a place that a cursor of ours carried."""
        kind, after, skip, shown, total = position
        return cls(kind, after, skip, shown, total)

    def ask(self, wanted: int | None) -> Ask:
        """Return the request for so many hits, or for as many as one page may have; None: only how many there are."""
        return Ask(self.kind, None if wanted is None else min(LARGEST_PAGE, self.skip + wanted), self.after)

    def add(self, answer: Answered) -> None:
        """Take in a page; it goes on from there."""
        if self.total is None:
            self.total = answer.total or 0
        self._fetched.append(_Fetched(self.after, self.skip, answer))
        self.waiting = answer.hits[self.skip :][::-1] + self.waiting
        self.after, self.skip = answer.cursor, 0

    @property
    def needs_more(self) -> bool:
        """Say whether a next hit is known only to the catalog."""
        return not self.waiting and self._goes_on(len(self._fetched) - 1)

    def position(self, taken: int) -> list[Any] | None:
        """Return the place after so many hits of this page of ours; None at the end."""
        left = taken
        for number, page in enumerate(self._fetched):
            here = len(page.answer.hits) - page.skip
            if left < here:
                return [self.kind, page.after, page.skip + left, self.shown + taken, self.total]
            if not self._goes_on(number):
                return None
            left -= here
        return [self.kind, self.after, left, self.shown + taken, self.total]

    def _goes_on(self, number: int) -> bool:
        """Say whether anything comes after a fetched page, whatever the catalog says of its end."""
        answer = self._fetched[number].answer
        read = self.shown + sum(len(page.answer.hits) - page.skip for page in self._fetched[: number + 1])
        return answer.cursor is not None and bool(answer.hits) and read < (self.total or 0)
