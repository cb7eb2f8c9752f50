"""The definition of an archive: its version, and its sortable and filterable fields."""

from types import MappingProxyType
from typing import Final

from indexer.schema.definition import IndexDefinition

ARCHIVE_VERSION: Final = 3
"""Raise it whenever the same document is indexed differently; older archives are then outdated."""
ARCHIVE: Final = IndexDefinition(
    kind="archive",
    version=ARCHIVE_VERSION,
    sortable=MappingProxyType({"date": "date", "title": "string", "path": "string"}),
    range_codes=True,
)
FILTERABLE: Final = ("source", "date", "author", "tags", "path", "language", "title")
