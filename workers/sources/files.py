"""A tree of files as a source; folders and uploads are both read through it."""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from errno import EACCES, ELOOP, ENOENT, ENOTDIR, EPERM
from unicodedata import normalize

from indexer.archives.ids import file_id
from indexer.errors import NotFound
from workers.parsers.kinds import UNKNOWN
from workers.sources import names
from workers.sources.interface import Entry, FailedFile, Item
from workers.sources.patterns import Selection
from workers.sources.tree import Child, NotRegular, PathParts, Tree

LEADS_OUT = "is a link that leads out of the folder"
_NOT_REGULAR = "is not a regular file"


@dataclass(frozen=True, slots=True)
class FileSource:
    """Files below one folder, sorted by name. Hidden files and kinds without a parser are ignored."""

    root_name: str
    """The shown name of the folder; all paths begin with it."""
    origin: str
    """Identifies the folder among others of the same name."""
    tree: Tree
    limit: int
    """Maximum bytes of a file."""
    selection: Selection = field(default_factory=Selection)
    skipped: Mapping[str, str] = field(default_factory=dict)
    """Files that were not taken from an upload: reason by path."""
    complete: bool = True
    """False if an archive of an upload could not be read to its end."""
    remote: bool = False

    def list(self) -> Iterator[Entry | FailedFile]:
        for path, reason in self.skipped.items():
            yield FailedFile(path, reason)
        try:
            stack: list[tuple[PathParts, Iterator[Child]]] = [((), iter(self.tree.children(())))]
        except OSError:
            raise _gone() from None
        while stack:
            folder, children = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                continue
            parts = (*folder, child.name)
            if child.kind != "folder":
                yield from self._list_file(parts, child)
            elif not names.is_hidden(child.name) and not self.selection.excludes_dir(_nfc(parts)):
                try:
                    stack.append((parts, self._list_folder(parts)))
                except _Skip as skip:
                    yield FailedFile(self._path(parts), skip.reason)

    def read(self, entry: Entry) -> Item | FailedFile:
        try:
            data, status = self._read(tuple(entry.locator.split("/")))
        except OSError as error:
            return FailedFile(entry.path, _reason(error))
        except _Skip as skip:
            return FailedFile(entry.path, skip.reason)
        return Item(
            data=data,
            name=entry.path.rpartition("/")[2],
            id=file_id(entry.path),
            source="research",
            origin=self.origin,
            url=None,
            fallback_date=names.date_of(entry.path, status.st_mtime),
        )

    def still_there(self, path: str) -> bool:
        """Return whether the file exists; patterns are ignored, so an ingestion of fewer files removes nothing."""
        root_name, *parts = path.split("/")
        if not self.complete or path in self.skipped or root_name != self.root_name:
            return True
        try:
            self.tree.look(())
            return self.tree.exists(tuple(parts))
        except OSError:
            raise _gone() from None

    def _list_folder(self, parts: PathParts) -> Iterator[Child]:
        if reason := names.name_problem(parts[-1]):
            raise _Skip(reason)
        if len("/".join(parts).encode()) > names.MAX_PATH_BYTES:
            raise _Skip("is a folder in too many others")
        try:
            return iter(self.tree.children(parts))
        except OSError:
            raise _Skip("is a folder that cannot be opened") from None

    def _list_file(self, parts: PathParts, child: Child) -> Iterator[Entry | FailedFile]:
        if names.is_hidden(child.name) or not self.selection.takes(_nfc(parts)):
            return
        try:
            size = self._size(parts, child)
        except _Skip as skip:
            yield FailedFile(self._path(parts), skip.reason)
        else:
            if size is not None:
                yield Entry(self._path(parts), "/".join(parts), size)

    def _size(self, parts: PathParts, child: Child) -> int | None:
        """Return a file's size, or None if it is ignored without a report."""
        if child.kind == "other":
            raise _Skip(_NOT_REGULAR)
        size = self._linked_size(parts) if child.kind == "link" else child.size
        if size is None:
            return None
        if names.is_readable(child.name):
            self._check(parts, size)
            return size
        if self.selection.names(_nfc(parts), names.extension(child.name)):
            raise _Skip(UNKNOWN)
        return None

    def _check(self, parts: PathParts, size: int) -> None:
        if reason := names.name_problem(parts[-1]):
            raise _Skip(reason)
        if size > self.limit:
            raise _Skip(self._too_large)
        composed = normalize("NFC", parts[-1])
        if composed != parts[-1] and self._exists((*parts[:-1], composed)):
            raise _Skip("has the same name as another file, but for its Unicode form")

    def _linked_size(self, parts: PathParts) -> int | None:
        """Return the size of a link's target inside the folder; links to folders are ignored."""
        try:
            target = self.tree.resolve_link(parts)
            if target is not None:
                status = self.tree.look(target)
                return None if stat.S_ISDIR(status.st_mode) else status.st_size
        except OSError:
            if not names.is_readable(parts[-1]):
                return None
            raise _Skip("is a link that leads nowhere") from None
        raise _Skip(LEADS_OUT)

    def _read(self, parts: PathParts) -> tuple[bytes, os.stat_result]:
        if not {"", ".", ".."}.isdisjoint(parts):
            raise _Skip("is not in the folder")
        try:
            data, status = self.tree.read(parts, self.limit)
        except NotRegular as error:
            if not error.is_link:
                raise
            target = self.tree.resolve_link(parts)
            if target is None:
                raise _Skip(LEADS_OUT) from None
            data, status = self.tree.read(target, self.limit)
        if len(data) > self.limit:
            raise _Skip(self._too_large)
        return data, status

    def _exists(self, parts: PathParts) -> bool:
        try:
            self.tree.look(parts)
        except OSError:
            return False
        return True

    @property
    def _too_large(self) -> str:
        return f"is larger than {self.limit / 1e6:g} MB"

    def _path(self, parts: PathParts) -> str:
        return names.shown((self.root_name, *parts))


class _Skip(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _nfc(parts: PathParts) -> PathParts:
    return tuple(normalize("NFC", name) for name in parts)


def _reason(error: OSError) -> str:
    if isinstance(error, NotRegular):
        return _NOT_REGULAR
    if error.errno in {ENOENT, ENOTDIR}:
        return "is gone"
    if error.errno in {EACCES, EPERM}:
        return "may not be read by this service"
    if error.errno == ELOOP:
        return LEADS_OUT
    return "cannot be read from the disk"


def _gone() -> NotFound:
    return NotFound(
        "The folder cannot be opened",
        action="See that it exists and that this service may read it, then start the job again",
    )
