"""What an archive is: the version of its definition, and by what it can be sorted and filtered."""

from types import MappingProxyType
from typing import Final

from indexer.schema.definition import IndexDefinition

ARCHIVE_VERSION: Final = 1
"""Raised whenever the same document would be indexed in another way; older archives are then outdated."""
ARCHIVE: Final = IndexDefinition(
    kind="archive",
    version=ARCHIVE_VERSION,
    sortable=MappingProxyType({"date": "date", "title": "string", "path": "string"}),
)
FILTERABLE: Final = ("source", "date", "author", "tags", "path", "language", "title")
