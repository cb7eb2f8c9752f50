"""Checks names of local indices. The archive's name is reserved, because the archive has its own operations."""

from indexer.errors import Invalid, NotFound
from indexer.tenancy import ARCHIVE_INDEX, DEFAULT_INDEX, IndexName, index_name


class ArchiveIsNotLocal(NotFound):
    """The archive cannot be read as a local index."""

    def __init__(self) -> None:
        super().__init__(
            f"Index not found: {ARCHIVE_INDEX}",
            action="Search the archive as an archive, or name another index",
            details={"closest": []},
        )


class ReservedIndexName(Invalid):
    """The archive's name cannot be used for a local index."""

    def __init__(self) -> None:
        super().__init__(f"This index name is reserved: {ARCHIVE_INDEX}", action="Choose another name")


def index_to_read(name: str | None) -> IndexName:
    """Check the name of a local index to search or describe; None is the default index."""
    checked = index_name(DEFAULT_INDEX if name is None else name)
    if checked == ARCHIVE_INDEX:
        raise ArchiveIsNotLocal
    return checked


def index_to_change(name: str | None) -> IndexName:
    """Check the name of a local index to create, write to or delete; None is the default index."""
    checked = index_name(DEFAULT_INDEX if name is None else name)
    if checked == ARCHIVE_INDEX:
        raise ReservedIndexName
    return checked
