"""Which operations help against failures of local indices."""

from collections.abc import Mapping
from typing import Final

from indexer.errors import PlatformError
from indexer.index.failures import IndexExists, IndexNotFound, TooManyIndices
from indexer.local.documents import DocumentNotFound
from indexer.local.indices import DefaultIndexStays
from indexer.local.names import ArchiveIsNotLocal, ReservedIndexName
from indexer.query.validate import UnknownField
from indexer.tenancy import InvalidIndexName
from mcp_server.advice import Advice

_LIST: Final = {"search_list_indices": "List this team's indices"}
ADVICE: Final[Mapping[type[PlatformError], Advice]] = {
    InvalidIndexName: Advice(_LIST),
    TooManyIndices: Advice(_LIST),
    IndexNotFound: Advice(_LIST, command=lambda error: f'search_create_index(index_name="{error.index}")'),
    IndexExists: Advice(
        {
            "search_add_document": "Add to the index that is there",
            "search_describe_index": "See what is in it",
        }
    ),
    DocumentNotFound: Advice({"search_index": "Search the index", **_LIST}),
    UnknownField: Advice({"search_describe_index": "List the fields of an index"}),
    DefaultIndexStays: Advice(
        {
            "search_delete_document": "Delete one document",
            "search_create_index": "Create an index that can be deleted",
        }
    ),
    ArchiveIsNotLocal: Advice(
        {"searchLocalArchives": "Search the archive", **_LIST},
        action="Use searchLocalArchives for the archive, or name another index",
    ),
    ReservedIndexName: Advice(
        {"archive_ingest": "Add files or pages to the archive", **_LIST},
        action="Choose another name; use archive_ingest to fill the archive",
    ),
}
