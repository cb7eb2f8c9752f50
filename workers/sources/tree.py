"""A folder seen through descriptors: no step of a way may be a link, so nothing outside it can be reached."""

import os
import stat
from contextlib import suppress
from errno import ENAMETOOLONG, ENOENT, ENOTDIR
from pathlib import Path
from typing import Final, Literal, NamedTuple
from unicodedata import normalize

PathParts = tuple[str, ...]
"""Names below the top, as they stand on the disk."""
ChildKind = Literal["folder", "file", "link", "other"]

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_LEAST: Final = 1 << 12
"""Bytes to ask for, at least: a file that says it has none may have some."""
_ABSENT: Final = frozenset({ENOENT, ENOTDIR, ENAMETOOLONG})


class Child(NamedTuple):
    """What stands in a folder; links are not followed."""

    name: str
    kind: ChildKind
    size: int


class NotRegular(OSError):
    """What should be read is no file, or only a link to one."""

    def __init__(self, found: os.stat_result) -> None:
        super().__init__()
        self.is_link = stat.S_ISLNK(found.st_mode)


class Tree:
    """A folder by its real path. Everything raises `OSError` like the calls that it makes."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self._last: tuple[PathParts, _Opened] | None = None

    def children(self, way: PathParts) -> list[Child]:
        """Return what stands in a folder, by name."""
        folder = self._opened(way)
        with os.scandir(folder.descriptor) as found:
            children = [Child(entry.name, *_described(entry)) for entry in found]
        return sorted(children)

    def linked(self, way: PathParts) -> PathParts | None:
        """Return where a link leads inside this folder, or None where it leads out."""
        real = Path(os.path.realpath(self.top.joinpath(*way), strict=True))
        return real.relative_to(self.top).parts if real.is_relative_to(self.top) else None

    def look(self, way: PathParts) -> os.stat_result:
        """Describe what stands there, without opening it and without following a link."""
        folder = self._opened(way[:-1])
        return os.stat(way[-1] if way else ".", dir_fd=folder.descriptor, follow_symlinks=False)

    def read(self, way: PathParts, limit: int) -> tuple[bytes, os.stat_result]:
        """Read a regular file, at most one byte more than the limit; `NotRegular` for anything else."""
        *above, name = way
        try:
            return _read(self._reached(tuple(above)), name, limit)
        except FileNotFoundError:
            # The folder may have been replaced since it was opened.
            self._last = None
            return _read(self._reached(tuple(above)), name, limit)

    def holds(self, way: PathParts) -> bool:
        """Say whether something stands there, whichever Unicode form its names have on the disk."""
        found: PathParts = ()
        for name in way:
            try:
                self.look((*found, name))
                found = (*found, name)
            except OSError as error:
                if error.errno not in _ABSENT:
                    raise
                other = self._spelled_otherwise(found, name)
                if other is None:
                    return False
                found = (*found, other)
        return True

    def _spelled_otherwise(self, way: PathParts, name: str) -> str | None:
        if name.isascii():
            return None
        with suppress(FileNotFoundError, NotADirectoryError):
            return next((child.name for child in self.children(way) if normalize("NFC", child.name) == name), None)
        return None

    def _opened(self, way: PathParts) -> "_Opened":
        folder = _Opened(os.open(self.top, _FOLDER))
        for name in way:
            folder = _Opened(os.open(name, _FOLDER, dir_fd=folder.descriptor))
        return folder

    def _reached(self, way: PathParts) -> "_Opened":
        """Open a folder, or take the one that was read from last: files of one folder come one after the other."""
        if self._last is None or self._last[0] != way:
            self._last = way, self._opened(way)
        return self._last[1]


class _Opened:
    """An open folder, until nobody refers to it any more."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def __del__(self) -> None:
        os.close(self.descriptor)


def _read(folder: _Opened, name: str, limit: int) -> tuple[bytes, os.stat_result]:
    # Looked at first: to open some devices is to use them.
    _check(os.stat(name, dir_fd=folder.descriptor, follow_symlinks=False))
    descriptor = os.open(name, _FILE, dir_fd=folder.descriptor)
    try:
        described = os.fstat(descriptor)
        _check(described)
        return _bytes(descriptor, described.st_size, limit + 1), described
    finally:
        os.close(descriptor)


def _check(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise NotRegular(found)


def _bytes(descriptor: int, expected: int, most: int) -> bytes:
    """Read to the end of a file or to so many bytes, however many were expected."""
    pieces = list[bytes]()
    while most > 0 and (piece := os.read(descriptor, min(most, max(expected, _LEAST)))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def _described(entry: "os.DirEntry[str]") -> tuple[ChildKind, int]:
    if entry.is_symlink():
        return "link", 0
    if entry.is_dir(follow_symlinks=False):
        return "folder", 0
    if entry.is_file(follow_symlinks=False):
        try:
            return "file", entry.stat(follow_symlinks=False).st_size
        except OSError:
            # Gone or shut by now: reading it will tell.
            return "file", 0
    return "other", 0
