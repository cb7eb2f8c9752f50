"""Errors about the names of indices, and about what a team may have."""

from collections.abc import Sequence
from typing import Literal

from indexer.errors import Conflict, NotFound, closest
from indexer.tenancy import IndexName


class IndexNotFound(NotFound):
    """The team has no index with this name."""

    def __init__(self, index: IndexName, known: Sequence[IndexName]) -> None:
        near = closest(index, known)
        super().__init__(
            f"Index not found: {index}",
            action="Use one of the indices in details.closest, or create it" if near else "Create it, or use another",
            details={"closest": near},
        )
        self.index = index


class IndexExists(Conflict):
    """The team already has an index with this name."""

    def __init__(self, index: IndexName) -> None:
        super().__init__(
            f"Index already exists: {index}", action="Use the index as it is, choose another name, or delete it first"
        )


QuotaName = Literal["documents", "bytes", "indices", "jobs"]


class QuotaReached(Conflict):
    """The team has as much as it may have; `details.limit` says of what."""

    def __init__(self, name: QuotaName, number: int, *, used: int, action: str) -> None:
        super().__init__(
            f"This team has reached its limit of {number:,} {name}",
            action=f"{action}, or ask the operator to raise TRAWL_MAX_{name.upper()}",
            details={"limit": {"name": name, "number": number, "used": used}},
        )
        self.name = name
        self.number = number


class TooManyIndices(QuotaReached):
    """The team has reached its maximum number of indices."""

    def __init__(self, max_indices: int, used: int) -> None:
        super().__init__("indices", max_indices, used=used, action="Delete an index that is no longer needed")
