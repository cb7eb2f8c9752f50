"""A tree of files as a source; folders and uploads are both read through it."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from errno import EACCES, ELOOP, ENOENT, ENOTDIR, EPERM
from functools import cached_property

from indexer.archives.ids import file_id
from indexer.errors import NotFound
from workers.sources import names
from workers.sources.interface import Entry, FailedFile, Item, Listed
from workers.sources.patterns import Selection
from workers.sources.skipped import SkippedFile, SkippedFiles
from workers.sources.tree import Child, NotRegular, PathParts, Tree
from workers.sources.walk import LEADS_OUT, NOT_REGULAR, Folder, Walk

_Entered = list[tuple[str, Folder]]


@dataclass(frozen=True)
class FileSource:
    """Files below one folder, sorted by name."""

    root_name: str
    """The shown name of the folder; all paths begin with it."""
    origin: str
    """Identifies the folder among others of the same name."""
    tree: Tree
    limit: int
    """Maximum bytes of a file."""
    selection: Selection = field(default_factory=Selection)
    ignore: bool = False
    """Whether ignore files and folders of programs count."""
    failed: Sequence[FailedFile] = ()
    """Files that were not taken from an upload, although they should be in the archive."""
    skipped: SkippedFiles = field(default_factory=SkippedFiles)
    """Files that were left out of an upload."""
    complete: bool = True
    """False if an archive of an upload could not be read to its end."""
    remote: bool = False

    def list(self) -> Iterator[Listed]:
        yield from self.failed
        if self.skipped.count:
            yield self.skipped
        try:
            stack: list[tuple[Folder, Iterator[Child]]] = [(self.walk.top(), iter(self.tree.children(())))]
        except OSError:
            raise _gone() from None
        while stack:
            folder, children = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                continue
            outcome = self.walk.outcome(folder, child)
            if not isinstance(outcome, Folder):
                yield outcome
                continue
            try:
                stack.append((outcome, iter(self.tree.children(outcome.parts))))
            except OSError:
                yield FailedFile(self.walk.path(outcome.parts), "is a folder that cannot be opened")

    def read(self, entry: Entry) -> Item | FailedFile:
        try:
            data, status = self._read(tuple(entry.locator.split("/")))
        except OSError as error:
            return FailedFile(entry.path, _reason(error))
        if len(data) > self.limit:
            return FailedFile(entry.path, self.walk.too_large)
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
        root_name, *below = path.split("/")
        if not self.complete or root_name != self.root_name or path in self._failed_paths:
            return True
        try:
            self.tree.look(())
        except OSError:
            raise _gone() from None
        try:
            return self._is_listed(below)
        except OSError:
            # A folder that cannot be opened is a failure, and what it holds is unknown.
            return True

    @cached_property
    def walk(self) -> Walk:
        """The rules by which entries are listed."""
        return Walk(self.root_name, self.tree, self.limit, self.selection, self.ignore)

    def _is_listed(self, below: Sequence[str]) -> bool:
        *above, name = below
        folder = self._enter(above)
        if not isinstance(folder, Folder):
            return isinstance(folder, FailedFile)
        return isinstance(self._outcome(folder, name), Entry | FailedFile)

    def _enter(self, names_above: Sequence[str]) -> Folder | Listed | None:
        """Enter the folders from the top down; return the last one, or what becomes of one that is not entered."""
        entered = self._entered
        depth = 0
        while depth < min(len(entered) - 1, len(names_above)) and entered[depth + 1][0] == names_above[depth]:
            depth += 1
        del entered[depth + 1 :]
        for name in names_above[depth:]:
            outcome = self._outcome(entered[-1][1], name)
            if not isinstance(outcome, Folder):
                return outcome
            entered.append((name, outcome))
        return entered[-1][1]

    def _outcome(self, folder: Folder, name: str) -> Folder | Entry | FailedFile | SkippedFile | None:
        child = self.tree.find(folder.parts, name)
        return None if child is None else self.walk.outcome(folder, child)

    @cached_property
    def _entered(self) -> _Entered:
        """The folders, from the top down, in which `still_there` looked last: a mirror asks in the order of paths."""
        return [("", self.walk.top())]

    @cached_property
    def _failed_paths(self) -> frozenset[str]:
        return frozenset(file.path for file in self.failed)

    def _read(self, parts: PathParts) -> tuple[bytes, os.stat_result]:
        if not {"", ".", ".."}.isdisjoint(parts):
            raise FileNotFoundError(ENOENT, "not in the folder")
        try:
            return self.tree.read(parts, self.limit)
        except NotRegular as error:
            if not error.is_link:
                raise
            target = self.tree.resolve_link(parts)
            if target is None:
                raise OSError(ELOOP, LEADS_OUT) from None
            return self.tree.read(target, self.limit)


def _reason(error: OSError) -> str:
    if isinstance(error, NotRegular):
        return NOT_REGULAR
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
