"""Errors about the names and the number of indices."""

from collections.abc import Sequence

from indexer.errors import Conflict, Invalid, NotFound, closest
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


class TooManyIndices(Invalid):
    """The team has reached its maximum number of indices."""

    def __init__(self, max_indices: int) -> None:
        super().__init__(
            f"This team has {max_indices} indices already",
            action="Delete an index that is no longer needed, or raise TRAWL_MAX_INDICES",
        )
