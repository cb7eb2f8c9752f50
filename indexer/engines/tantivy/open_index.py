"""An index that is kept open for reading; it notices what other processes committed."""

import os
import threading
from pathlib import Path
from typing import Final

from tantivy import Searcher

from indexer.engines.tantivy.failures import translated
from indexer.engines.tantivy.schema import open_or_create_index, retry_interrupted
from indexer.errors import MissingIndex
from indexer.schema.definition import IndexDefinition

INCARNATION: Final = "birth"
"""A file that each folder gets once: it tells a folder from an earlier one of the same name."""
_META: Final = "meta.json"
"""tantivy's own list of segments, replaced by each commit."""

Stamp = tuple[int, int, int]


class OpenIndex:
    """One physical index of this process; safe to use from several threads."""

    def __init__(self, path: Path, definition: IndexDefinition) -> None:
        self._path = path
        self._lock = threading.Lock()
        self.birth = stamp(path / INCARNATION)
        self._committed = stamp(path / _META)
        with translated(path):
            self.dialect = open_or_create_index(definition, path)

    def searcher(self) -> Searcher:
        """Return a searcher of the newest commit, whichever process made it."""
        with self._lock, translated(self._path):
            committed = stamp(self._path / _META)
            if committed != self._committed:
                retry_interrupted(self.dialect.index.reload)
                self._committed = committed
            return self.dialect.index.searcher()


def stamp(path: Path) -> Stamp:
    """Return what changes when a file is replaced; `MissingIndex` if it is not there."""
    try:
        found = os.stat(path)  # noqa: PTH116 -- in the way of every search; Path.stat takes twice as long
    except (FileNotFoundError, NotADirectoryError):
        raise MissingIndex from None
    return found.st_mtime_ns, found.st_ino, found.st_size
