"""A folder that is read through directory descriptors.

No component of a path may be a symbolic link, so nothing outside the folder can be reached.
"""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from errno import ENAMETOOLONG, ENOENT, ENOTDIR
from pathlib import Path
from typing import Final, Literal, NamedTuple
from unicodedata import normalize

PathParts = tuple[str, ...]
"""Names below the top folder, spelled as on the disk."""
ChildKind = Literal["folder", "file", "link", "other"]

_OPEN_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_MIN_READ_BYTES: Final = 1 << 12
"""A file whose size is reported as 0 may still hold data."""
_ABSENT: Final = frozenset({ENOENT, ENOTDIR, ENAMETOOLONG})


class Child(NamedTuple):
    """An entry of a folder; links are not followed."""

    name: str
    kind: ChildKind
    size: int


class NotRegular(OSError):
    """The path is not a regular file; it may be a link to one."""

    def __init__(self, status: os.stat_result) -> None:
        super().__init__()
        self.is_link = stat.S_ISLNK(status.st_mode)


class Tree:
    """A folder by its real path. All methods raise `OSError` as the system calls do."""

    def __init__(self, top: Path, hidden: PathParts = ()) -> None:
        """Leave out one folder below it, `hidden`, as if it were not there."""
        self.top = top
        self._hidden = hidden
        self._last_read: tuple[PathParts, _OpenFolder] | None = None

    def children(self, parts: PathParts) -> list[Child]:
        """Return the entries of a folder, sorted by name."""
        folder = self._open(parts)
        with os.scandir(folder.descriptor) as entries:
            children = [Child(entry.name, *_kind_and_size(entry)) for entry in entries]
        return sorted(child for child in children if not self._is_hidden((*parts, child.name)))

    def resolve_link(self, parts: PathParts) -> PathParts | None:
        """Return a link's target inside this folder, or None if it is outside."""
        real = Path(os.path.realpath(self.top.joinpath(*parts), strict=True))
        target = real.relative_to(self.top).parts if real.is_relative_to(self.top) else None
        return None if target is None or self._is_hidden(target) else target

    def look(self, parts: PathParts) -> os.stat_result:
        """Return the status of a path, without opening it and without following a link."""
        self._refuse_hidden(parts)
        folder = self._open(parts[:-1])
        return os.stat(parts[-1] if parts else ".", dir_fd=folder.descriptor, follow_symlinks=False)

    def read(self, parts: PathParts, limit: int) -> tuple[bytes, os.stat_result]:
        """Read a regular file, at most one byte more than the limit; `NotRegular` for anything else."""
        *above, name = parts
        try:
            return _read_file(self._open_for_reading(tuple(above)), name, limit)
        except FileNotFoundError:
            # The folder may have been replaced since it was opened.
            self._last_read = None
            return _read_file(self._open_for_reading(tuple(above)), name, limit)

    def find(self, folder: PathParts, name: str) -> Child | None:
        """Return the entry of a folder by its name in NFC, in any Unicode normal form on the disk; None if absent."""
        try:
            return _child(name, self.look((*folder, name)))
        except OSError as error:
            if error.errno not in _ABSENT:
                raise
        if name.isascii():
            return None
        with suppress(FileNotFoundError, NotADirectoryError):
            return next((child for child in self.children(folder) if normalize("NFC", child.name) == name), None)
        return None

    def present(self, folder: PathParts, names: Iterable[str]) -> list[str]:
        """Return those of the names that are in a folder; none if it cannot be opened."""
        try:
            opened = self._open(folder)
        except OSError:
            return []
        return [name for name in names if _exists(opened, name)]

    def _is_hidden(self, parts: PathParts) -> bool:
        return bool(self._hidden) and parts[: len(self._hidden)] == self._hidden

    def _refuse_hidden(self, parts: PathParts) -> None:
        if self._is_hidden(parts):
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT))

    def _open(self, parts: PathParts) -> "_OpenFolder":
        self._refuse_hidden(parts)
        folder = _OpenFolder(os.open(self.top, _OPEN_FOLDER))
        for name in parts:
            folder = _OpenFolder(os.open(name, _OPEN_FOLDER, dir_fd=folder.descriptor))
        return folder

    def _open_for_reading(self, parts: PathParts) -> "_OpenFolder":
        """Open a folder, or reuse the last one: files of the same folder are read one after the other."""
        if self._last_read is None or self._last_read[0] != parts:
            self._last_read = parts, self._open(parts)
        return self._last_read[1]


class _OpenFolder:
    """A directory descriptor that is closed with its last reference."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def __del__(self) -> None:
        os.close(self.descriptor)


def _read_file(folder: _OpenFolder, name: str, limit: int) -> tuple[bytes, os.stat_result]:
    # Checked before it is opened: opening some devices has side effects.
    _check_regular(os.stat(name, dir_fd=folder.descriptor, follow_symlinks=False))
    descriptor = os.open(name, _OPEN_FILE, dir_fd=folder.descriptor)
    try:
        status = os.fstat(descriptor)
        _check_regular(status)
        return _read_bytes(descriptor, status.st_size, limit + 1), status
    finally:
        os.close(descriptor)


def _check_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotRegular(status)


def _read_bytes(descriptor: int, expected: int, limit: int) -> bytes:
    """Read to the end of a file or to the limit, whichever comes first; `expected` only sizes the reads."""
    pieces = list[bytes]()
    while limit > 0 and (piece := os.read(descriptor, min(limit, max(expected, _MIN_READ_BYTES)))):
        pieces.append(piece)
        limit -= len(piece)
    return b"".join(pieces)


def _exists(folder: _OpenFolder, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder.descriptor, follow_symlinks=False)
    except OSError:
        return False
    return True


def _child(name: str, status: os.stat_result) -> Child:
    if stat.S_ISREG(status.st_mode):
        return Child(name, "file", status.st_size)
    if stat.S_ISDIR(status.st_mode):
        return Child(name, "folder", 0)
    return Child(name, "link" if stat.S_ISLNK(status.st_mode) else "other", 0)


def _kind_and_size(entry: "os.DirEntry[str]") -> tuple[ChildKind, int]:
    if entry.is_symlink():
        return "link", 0
    if entry.is_dir(follow_symlinks=False):
        return "folder", 0
    if entry.is_file(follow_symlinks=False):
        try:
            return "file", entry.stat(follow_symlinks=False).st_size
        except OSError:
            # The file is gone or no longer accessible: reading it reports why.
            return "file", 0
    return "other", 0
