"""Files of this machine for an upload: listed by the rules of folder sources, and packed as a tar stream."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from workers.sources.files import FileSource
from workers.sources.folder import folder_name, folder_origin
from workers.sources.interface import Entry, FailedFile, Listed
from workers.sources.patterns import Selection
from workers.sources.skipped import SkippedCounter, SkippedFile, SkippedFiles
from workers.sources.tree import Tree
from workers.sources.uploads.packing import END, failed_member, file_member, skipped_member
from workers.sources.walk import Folder

__all__ = ["TAR", "LocalFiles", "files_of_folder", "single_files"]

TAR: Final = "files.tar"
"""The file name of the stream; the names in it are relative to the folder."""


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """Files below one folder, under that folder's name, with those that cannot be sent and those that are left out."""

    source: FileSource
    entries: tuple[Entry, ...]
    failed: tuple[FailedFile, ...]
    skipped: SkippedFiles
    mirror: bool = False

    @property
    def size(self) -> int:
        return sum(entry.size for entry in self.entries)

    def tar(self, sent: Callable[[int], None]) -> Iterator[bytes]:
        """Yield the files as one tar stream, with notes of all others; call `sent` with the size of each."""
        for failed in self.failed:
            yield failed_member(_below(failed.path), failed.reason)
        for entry in self.entries:
            item = self.source.read(entry)
            if isinstance(item, FailedFile):
                yield failed_member(_below(entry.path), item.reason)
            else:
                yield from file_member(_below(entry.path), item.data, self._modified(entry))
            sent(entry.size)
        if self.skipped.count:
            first = tuple(replace(file, path=_below(file.path)) for file in self.skipped.first)
            yield skipped_member(replace(self.skipped, first=first))
        yield END

    def _modified(self, entry: Entry) -> float:
        try:
            return self.source.tree.look(tuple(entry.locator.split("/"))).st_mtime
        except OSError:
            return 0.0


def files_of_folder(
    folder: Path, *, include: Iterable[str], exclude: Iterable[str], ignore: bool, mirror: bool, limit: int
) -> LocalFiles:
    """List a folder by the same rules as a folder source."""
    source = _source(folder, limit, Selection.read(list(include), list(exclude)), ignore=ignore)
    return _sorted(source, source.list(), mirror=mirror)


def single_files(folder: Path, names: Iterable[str], *, limit: int) -> LocalFiles:
    """Take single files of one folder, whatever its ignore rules; their ids are those of files of the whole folder."""
    source = _source(folder, limit, Selection(), ignore=False)
    return _sorted(source, _listed(source, names))


def _source(folder: Path, limit: int, selection: Selection, *, ignore: bool) -> FileSource:
    name, origin = folder_name(str(folder)), folder_origin(str(folder))
    return FileSource(name, origin, Tree(folder.resolve()), limit, selection, ignore)


def _listed(source: FileSource, names: Iterable[str]) -> Iterator[Listed]:
    top = source.walk.top()
    for name in names:
        child = source.tree.find((), name)
        outcome = None if child is None else source.walk.outcome(top, child)
        if outcome is None or isinstance(outcome, Folder):
            yield FailedFile(source.walk.path((name,)), "is gone")
        else:
            yield outcome


def _sorted(source: FileSource, listed: Iterable[Listed], *, mirror: bool = False) -> LocalFiles:
    entries: list[Entry] = []
    failed: list[FailedFile] = []
    skipped = SkippedCounter()
    for each in listed:
        match each:
            case Entry():
                entries.append(each)
            case FailedFile():
                failed.append(each)
            case SkippedFile() | SkippedFiles():
                skipped.add(each)
    return LocalFiles(source, tuple(entries), tuple(failed), skipped.result(), mirror)


def _below(path: str) -> str:
    return path.partition("/")[2]
