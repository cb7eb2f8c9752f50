"""Which operations help against failures of the archive."""

from collections.abc import Mapping
from typing import Final

from indexer.archives.documents import ArchiveDocumentNotFound
from indexer.errors import PlatformError
from mcp_server.advice import Advice

ADVICE: Final[Mapping[type[PlatformError], Advice]] = {
    ArchiveDocumentNotFound: Advice(
        {"searchLocalArchives": "Search the archive", "archive_list": "List the archive's documents"}
    ),
}
