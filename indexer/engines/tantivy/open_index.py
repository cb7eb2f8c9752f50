"""An index that a process keeps open for reading. It reloads when another process has committed."""

import os
import threading
from pathlib import Path
from typing import Final

from tantivy import Searcher

from indexer.engines.tantivy.failures import translate_errors
from indexer.engines.tantivy.schema import open_or_create_index, retry_interrupted
from indexer.errors import MissingIndex
from indexer.schema.definition import IndexDefinition

INCARNATION: Final = "birth"
"""A file written once per index folder. It distinguishes a folder from an earlier one of the same name."""
_META: Final = "meta.json"
"""tantivy's list of segments, replaced by each commit."""

Stamp = tuple[int, int, int]
"""Modification time, inode and size of a file: changes when the file is replaced."""


class OpenIndex:
    """One open physical index; thread-safe."""

    def __init__(self, path: Path, definition: IndexDefinition) -> None:
        self._path = path
        self._lock = threading.Lock()
        self.incarnation = file_stamp(path / INCARNATION)
        self._loaded_commit = file_stamp(path / _META)
        with translate_errors(path):
            self.handle = open_or_create_index(definition, path)

    def searcher(self) -> Searcher:
        """Return a searcher of the latest commit of any process."""
        with self._lock, translate_errors(self._path):
            latest_commit = file_stamp(self._path / _META)
            if latest_commit != self._loaded_commit:
                retry_interrupted(self.handle.index.reload)
                self._loaded_commit = latest_commit
            return self.handle.index.searcher()


def file_stamp(path: Path) -> Stamp:
    """Return the file's stamp; raise `MissingIndex` if the file does not exist."""
    try:
        status = os.stat(path)  # noqa: PTH116 -- on the path of every search; Path.stat takes twice as long
    except (FileNotFoundError, NotADirectoryError):
        raise MissingIndex from None
    return status.st_mtime_ns, status.st_ino, status.st_size
