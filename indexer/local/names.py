"""Which names callers of the local index may use: `archive` has tools of its own."""

from indexer.errors import Invalid, NotFound
from indexer.tenancy import ARCHIVE_INDEX, IndexName, index_name


def index_to_read(given: str) -> IndexName:
    """Check the name of a local index that is only looked at."""
    name = index_name(given)
    if name == ARCHIVE_INDEX:
        raise NotFound(
            f"Index not found: {name}",
            action="Use searchLocalArchives for the archive, or name another index",
            details={"closest": []},
            alternatives={
                "searchLocalArchives": "Search the archive",
                "search_list_indices": "List this team's indices",
            },
        )
    return name


def index_to_change(given: str) -> IndexName:
    """Check the name of a local index that is made, filled or deleted."""
    name = index_name(given)
    if name == ARCHIVE_INDEX:
        raise Invalid(
            f"This index name is reserved: {name}",
            action="Choose another name; use archive_ingest to fill the archive",
            alternatives={
                "archive_ingest": "Add files or pages to the archive",
                "search_list_indices": "List this team's indices",
            },
        )
    return name
