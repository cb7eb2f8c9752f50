"""A tree of files as a source: what folders and uploads have in common."""

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
from workers.sources.interface import Entry, Item, SkippedFile
from workers.sources.patterns import Selection
from workers.sources.tree import Child, NotRegular, PathParts, Tree

LEADS_OUT = "is a link that leads out of the folder"
_NOT_REGULAR = "is not a regular file"


@dataclass(frozen=True, slots=True)
class FileSource:
    """Files below one folder, by name; hidden ones and kinds that no parser reads are passed over."""

    root: str
    """The folder's name: where all paths begin."""
    origin: str
    tree: Tree
    limit: int
    """Bytes that a file may have."""
    selection: Selection = field(default_factory=Selection)
    refused: Mapping[str, str] = field(default_factory=dict)
    """What an upload held but was not taken: path and reason."""
    whole: bool = True
    """Whether all of it could be looked at."""
    remote: bool = False

    def list(self) -> Iterator[Entry | SkippedFile]:
        for path, reason in self.refused.items():
            yield SkippedFile(path, reason)
        try:
            waiting: list[tuple[PathParts, Iterator[Child]]] = [((), iter(self.tree.children(())))]
        except OSError:
            raise _gone() from None
        while waiting:
            way, children = waiting[-1]
            child = next(children, None)
            if child is None:
                waiting.pop()
                continue
            below = (*way, child.name)
            if child.kind != "folder":
                yield from self._listed(below, child)
            elif not names.is_hidden(child.name) and not self.selection.excludes_dir(_composed(below)):
                try:
                    waiting.append((below, self._inside(below)))
                except _Refusal as refusal:
                    yield SkippedFile(self._path(below), refusal.reason)

    def read(self, entry: Entry) -> Item | SkippedFile:
        try:
            data, described = self._read(tuple(entry.locator.split("/")))
        except OSError as error:
            return SkippedFile(entry.path, _reason(error))
        except _Refusal as refusal:
            return SkippedFile(entry.path, refusal.reason)
        return Item(
            data=data,
            name=entry.path.rpartition("/")[2],
            id=file_id(entry.path),
            source="research",
            root=self.origin,
            url=None,
            fallback_date=names.date_of(entry.path, described.st_mtime),
        )

    def still_there(self, path: str) -> bool:
        """Say whether the file exists; patterns do not matter, so a narrower ingestion removes nothing."""
        top, *way = path.split("/")
        if not self.whole or path in self.refused or top != self.root:
            return True
        try:
            self.tree.look(())
            return self.tree.holds(tuple(way))
        except OSError:
            raise _gone() from None

    def _inside(self, way: PathParts) -> Iterator[Child]:
        if reason := names.fault(way[-1]):
            raise _Refusal(reason)
        if len("/".join(way).encode()) > names.WAY_BYTES:
            raise _Refusal("is a folder in too many others")
        try:
            return iter(self.tree.children(way))
        except OSError:
            raise _Refusal("is a folder that cannot be opened") from None

    def _listed(self, way: PathParts, child: Child) -> Iterator[Entry | SkippedFile]:
        if names.is_hidden(child.name) or not self.selection.takes(_composed(way)):
            return
        try:
            size = self._size(way, child)
        except _Refusal as refusal:
            yield SkippedFile(self._path(way), refusal.reason)
        else:
            if size is not None:
                yield Entry(self._path(way), "/".join(way), size)

    def _size(self, way: PathParts, child: Child) -> int | None:
        """Return a file's size, or None for what is passed over in silence."""
        if child.kind == "other":
            raise _Refusal(_NOT_REGULAR)
        size = self._linked_size(way) if child.kind == "link" else child.size
        if size is None:
            return None
        if names.is_readable(child.name):
            self._check(way, size)
            return size
        if self.selection.names(_composed(way), names.extension(child.name)):
            raise _Refusal(UNKNOWN)
        return None

    def _check(self, way: PathParts, size: int) -> None:
        if reason := names.fault(way[-1]):
            raise _Refusal(reason)
        if size > self.limit:
            raise _Refusal(self._too_large)
        composed = normalize("NFC", way[-1])
        if composed != way[-1] and self._is_there((*way[:-1], composed)):
            raise _Refusal("has the same name as another file, but for its Unicode form")

    def _linked_size(self, way: PathParts) -> int | None:
        """Return the size of the file that a link inside the folder means; links to folders are passed over."""
        try:
            target = self.tree.linked(way)
            if target is not None:
                found = self.tree.look(target)
                return None if stat.S_ISDIR(found.st_mode) else found.st_size
        except OSError:
            if not names.is_readable(way[-1]):
                return None
            raise _Refusal("is a link that leads nowhere") from None
        raise _Refusal(LEADS_OUT)

    def _read(self, way: PathParts) -> tuple[bytes, os.stat_result]:
        if not {"", ".", ".."}.isdisjoint(way):
            raise _Refusal("is not in the folder")
        try:
            data, described = self.tree.read(way, self.limit)
        except NotRegular as error:
            if not error.is_link:
                raise
            target = self.tree.linked(way)
            if target is None:
                raise _Refusal(LEADS_OUT) from None
            data, described = self.tree.read(target, self.limit)
        if len(data) > self.limit:
            raise _Refusal(self._too_large)
        return data, described

    def _is_there(self, way: PathParts) -> bool:
        try:
            self.tree.look(way)
        except OSError:
            return False
        return True

    @property
    def _too_large(self) -> str:
        return f"is larger than {self.limit / 1e6:g} MB"

    def _path(self, way: PathParts) -> str:
        return names.shown((self.root, *way))


class _Refusal(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _composed(way: PathParts) -> PathParts:
    return tuple(normalize("NFC", name) for name in way)


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
