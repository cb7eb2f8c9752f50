"""The data folder: a sub-folder for each physical index, made and removed in one step."""

import os
import shutil
import threading
import time
import uuid
from collections import OrderedDict
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from indexer.engines.port import Target
from indexer.engines.tantivy.failures import failure_of, translated
from indexer.engines.tantivy.lock import exclusive
from indexer.engines.tantivy.open_index import INCARNATION, OpenIndex, stamp
from indexer.engines.tantivy.schema import open_or_create_index
from indexer.errors import Unavailable
from indexer.tenancy import PhysicalName

_UNFINISHED: Final = ".new-"
_DROPPED: Final = ".dropped-"
_UNFINISHED_SECONDS: Final = 3600
_MOST_OPEN: Final = 128
"""How many indices a process keeps open; each has a thread of tantivy's that looks at it twice a second."""


class Folder:
    """All physical indices in one data folder; safe to use from several threads and processes."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._indices = root / "indices"
        self._locks = root / "locks"
        self._open: OrderedDict[PhysicalName, OpenIndex] = OrderedDict()
        self._lock = threading.Lock()

    def path(self, physical: PhysicalName) -> Path:
        return self._indices / physical

    def exclusive(self, physical: PhysicalName) -> AbstractContextManager[None]:
        """Return the lock under which this index is written to, in all processes."""
        return exclusive(self._locks / f"{physical}.lock")

    def opened(self, target: Target) -> OpenIndex:
        """Return the index, opened once for this process; `MissingIndex` if there is none."""
        birth = stamp(self.path(target.physical) / INCARNATION)
        with self._lock:
            kept = self._open.get(target.physical)
            if kept is None or kept.birth != birth or kept.dialect.definition != target.definition:
                kept = OpenIndex(self.path(target.physical), target.definition)
                self._open[target.physical] = kept
                while len(self._open) > _MOST_OPEN:
                    self._open.popitem(last=False)
            self._open.move_to_end(target.physical)
            return kept

    def create(self, target: Target) -> None:
        """Make the index under a name that nobody reads, and move it to its own; no error if it is there."""
        path = self.path(target.physical)
        if (path / INCARNATION).exists():
            return
        unfinished = self._indices / f"{_UNFINISHED}{uuid.uuid4().hex}"
        with translated(self._indices):
            unfinished.mkdir(parents=True)
            try:
                open_or_create_index(target.definition, unfinished)
                (unfinished / INCARNATION).write_text(unfinished.name)
                _fsync_dir(unfinished)
                self._move_in(unfinished, path)
                _fsync_dir(self._indices)
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)

    def drop(self, physical: PhysicalName) -> None:
        """Remove the index; searches that run go on, since the files stay until they are closed."""
        path = self.path(physical)
        if path.exists():
            with self.exclusive(physical), translated(path):
                if path.exists():
                    path.rename(self._indices / f"{_DROPPED}{uuid.uuid4().hex}")
                    _fsync_dir(self._indices)
        with self._lock:
            self._open.pop(physical, None)
        self._sweep()

    def names(self, prefix: str) -> list[PhysicalName]:
        """Return the indices whose names start so, sorted."""
        try:
            found = [path.name for path in self._indices.iterdir()]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise failure_of(error.errno, self._root) from error
        return sorted(PhysicalName(name) for name in found if name.startswith(prefix) and not name.startswith("."))

    def check(self) -> None:
        """Return if the folder can be written to, raise `Unavailable` if not."""
        with translated(self._root):
            self._indices.mkdir(parents=True, exist_ok=True)
            if not os.access(self._indices, os.R_OK | os.W_OK | os.X_OK):
                raise PermissionError(13, "no access")

    def close(self) -> None:
        with self._lock:
            self._open.clear()

    def _move_in(self, unfinished: Path, path: Path) -> None:
        try:
            unfinished.rename(path)
        except OSError:
            # Someone else was first: a folder that holds something cannot be replaced.
            if not (path / INCARNATION).exists():
                raise Unavailable(
                    "A folder of another origin stands where an index must be made",
                    action="Remove what does not belong there from the data folder",
                ) from None

    def _sweep(self) -> None:
        """Remove what dropping left, also in processes that died."""
        for path in self._indices.glob(f"{_DROPPED}*"):
            shutil.rmtree(path, ignore_errors=True)
        for path in self._indices.glob(f"{_UNFINISHED}*"):
            if _age(path) > _UNFINISHED_SECONDS:
                shutil.rmtree(path, ignore_errors=True)


def _fsync_dir(folder: Path) -> None:
    """Let the names in a folder survive a loss of power."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
