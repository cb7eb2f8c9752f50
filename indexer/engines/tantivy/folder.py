"""The data folder: one subfolder per physical index, created and removed atomically."""

import os
import shutil
import threading
import time
import uuid
from collections import OrderedDict
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from indexer.data_folder import INDICES_FOLDER, LOCKS_FOLDER
from indexer.engines.port import Target
from indexer.engines.tantivy.failures import failure_of_errno, translate_errors
from indexer.engines.tantivy.open_index import INCARNATION, OpenIndex, file_stamp
from indexer.engines.tantivy.schema import open_or_create_index
from indexer.errors import Unavailable
from indexer.file_lock import REQUEST_PATIENCE, exclusive_lock
from indexer.tenancy import PhysicalName

_UNFINISHED_PREFIX: Final = ".new-"
_DROPPED_PREFIX: Final = ".dropped-"
_UNFINISHED_GRACE_SECONDS: Final = 3600
"""An older unfinished folder is left over from a process that died."""
BUSY: Final = "This index is being written to"
_MAX_OPEN: Final = 128
"""How many indices a process keeps open. For each, tantivy runs a thread that polls its files twice a second."""


class Folder:
    """All physical indices in one data folder; safe for several threads and processes."""

    def __init__(self, root: Path, *, patience: float = REQUEST_PATIENCE) -> None:
        """`patience`: how many seconds a write waits for its index."""
        self._root = root
        self.patience: Final = patience
        self._indices = root / INDICES_FOLDER
        self._locks = root / LOCKS_FOLDER
        self._open: OrderedDict[PhysicalName, OpenIndex] = OrderedDict()
        self._lock = threading.Lock()

    def path(self, physical: PhysicalName) -> Path:
        return self._indices / physical

    def write_lock(self, physical: PhysicalName, timeout: float | None = None) -> AbstractContextManager[None]:
        """Return the index's write lock, which all processes share."""
        seconds = self.patience if timeout is None else timeout
        return exclusive_lock(self._locks / f"{physical}.lock", seconds, BUSY)

    def open_index(self, target: Target) -> OpenIndex:
        """Return the index, from the cache of open indices if possible; raise `MissingIndex` if it does not exist."""
        incarnation = file_stamp(self.path(target.physical) / INCARNATION)
        with self._lock:
            index = self._open.get(target.physical)
            if index is None or index.incarnation != incarnation or index.handle.definition != target.definition:
                index = OpenIndex(self.path(target.physical), target.definition)
                self._open[target.physical] = index
                while len(self._open) > _MAX_OPEN:
                    self._open.popitem(last=False)
            self._open.move_to_end(target.physical)
            return index

    def create(self, target: Target) -> None:
        """Create the index under a temporary name, then rename it into place. Idempotent."""
        path = self.path(target.physical)
        if (path / INCARNATION).exists():
            return
        unfinished = self._indices / f"{_UNFINISHED_PREFIX}{uuid.uuid4().hex}"
        with translate_errors(self._indices):
            unfinished.mkdir(parents=True)
            try:
                open_or_create_index(target.definition, unfinished)
                (unfinished / INCARNATION).write_text(unfinished.name)
                _fsync_dir(unfinished)
                self._rename_into_place(unfinished, path)
                _fsync_dir(self._indices)
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)

    def drop(self, physical: PhysicalName) -> None:
        """Remove the index. Running searches continue, because open files stay readable."""
        path = self.path(physical)
        if path.exists():
            with translate_errors(path), self.write_lock(physical):
                if path.exists():
                    path.rename(self._indices / f"{_DROPPED_PREFIX}{uuid.uuid4().hex}")
                    _fsync_dir(self._indices)
        with self._lock:
            self._open.pop(physical, None)
        self._remove_leftovers()

    def names(self, prefix: str) -> list[PhysicalName]:
        """Return the indices whose names start with the prefix, sorted."""
        try:
            names = [path.name for path in self._indices.iterdir()]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise failure_of_errno(error.errno, self._root) from error
        return sorted(PhysicalName(name) for name in names if name.startswith(prefix) and not name.startswith("."))

    def check(self) -> None:
        """Return if the folder is readable and writable; raise `Unavailable` if it is not."""
        with translate_errors(self._root):
            self._indices.mkdir(parents=True, exist_ok=True)
            if not os.access(self._indices, os.R_OK | os.W_OK | os.X_OK):
                raise PermissionError(13, "no access")

    def close(self) -> None:
        with self._lock:
            self._open.clear()

    def _rename_into_place(self, unfinished: Path, path: Path) -> None:
        try:
            unfinished.rename(path)
        except OSError:
            # A non-empty folder cannot be replaced. If it is an index, another process created it first.
            if not (path / INCARNATION).exists():
                raise Unavailable(
                    "A folder of another origin stands where an index must be made",
                    action="Remove what does not belong there from the data folder",
                ) from None

    def _remove_leftovers(self) -> None:
        """Remove dropped and unfinished folders, including those of processes that died."""
        for path in self._indices.glob(f"{_DROPPED_PREFIX}*"):
            shutil.rmtree(path, ignore_errors=True)
        for path in self._indices.glob(f"{_UNFINISHED_PREFIX}*"):
            if _age_seconds(path) > _UNFINISHED_GRACE_SECONDS:
                shutil.rmtree(path, ignore_errors=True)


def _fsync_dir(folder: Path) -> None:
    """Make renames in a folder survive a power failure."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _age_seconds(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
