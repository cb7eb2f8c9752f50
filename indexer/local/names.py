"""Which names callers of the local index may use: the archive has operations of its own."""

from indexer.errors import Invalid, NotFound
from indexer.tenancy import ARCHIVE_INDEX, IndexName, index_name


class ArchiveIsNotLocal(NotFound):
    """The archive is not read as a local index."""

    def __init__(self) -> None:
        super().__init__(
            f"Index not found: {ARCHIVE_INDEX}",
            action="Search the archive as an archive, or name another index",
            details={"closest": []},
        )


class ReservedIndexName(Invalid):
    """The archive's name is no name for a local index."""

    def __init__(self) -> None:
        super().__init__(f"This index name is reserved: {ARCHIVE_INDEX}", action="Choose another name")


def index_to_read(given: str) -> IndexName:
    """Check the name of a local index that is only looked at."""
    name = index_name(given)
    if name == ARCHIVE_INDEX:
        raise ArchiveIsNotLocal
    return name


def index_to_change(given: str) -> IndexName:
    """Check the name of a local index that is made, filled or deleted."""
    name = index_name(given)
    if name == ARCHIVE_INDEX:
        raise ReservedIndexName
    return name
