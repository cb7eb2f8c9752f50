"""Files of this machine, listed as the service itself would list them, and packed as a stream of tar."""

import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workers.sources.files import FileSource
from workers.sources.folder import folder_name, folder_origin
from workers.sources.interface import Entry, SkippedFile
from workers.sources.names import is_readable, shown
from workers.sources.patterns import Selection
from workers.sources.tree import Tree

__all__ = ["TAR", "LocalFiles", "SkippedFile", "files_of_folder", "single_files"]

_BLOCK: Final = tarfile.BLOCKSIZE
_PIECE: Final = 1 << 20
TAR: Final = "files.tar"
"""What the stream is called; the names in it are the ways below the folder."""


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """Files below one folder, under that folder's name; what cannot be sent is named with the reason."""

    source: FileSource
    entries: tuple[Entry, ...]
    refused: tuple[SkippedFile, ...]
    mirror: bool = False

    @property
    def size(self) -> int:
        return sum(entry.size for entry in self.entries)

    def tar(self, sent: Callable[[int], None]) -> Iterator[bytes]:
        """Yield the files as one tar stream; those that are gone by now are left out."""
        for entry in self.entries:
            item = self.source.read(entry)
            if not isinstance(item, SkippedFile):
                yield from _member(entry.path.partition("/")[2], item.data, self._modified(entry))
            sent(entry.size)
        yield bytes(2 * _BLOCK)

    def _modified(self, entry: Entry) -> float:
        try:
            return self.source.tree.look(tuple(entry.locator.split("/"))).st_mtime
        except OSError:
            return 0.0


def files_of_folder(
    folder: Path, *, include: Iterable[str], exclude: Iterable[str], mirror: bool, limit: int
) -> LocalFiles:
    """List a folder as the service itself would."""
    selection = Selection.read(list(include), list(exclude))
    source = FileSource(
        folder_name(str(folder)), folder_origin(str(folder)), Tree(folder.resolve()), limit, selection=selection
    )
    listed = list(source.list())
    return LocalFiles(
        source,
        tuple(found for found in listed if isinstance(found, Entry)),
        tuple(found for found in listed if isinstance(found, SkippedFile)),
        mirror,
    )


def single_files(folder: Path, names: Iterable[str], *, limit: int) -> LocalFiles:
    """Take single files of one folder, which have the same ids as if all of it had been sent."""
    real, root = folder.resolve(), folder_name(str(folder))
    entries, refused = [], []
    for name in names:
        path = shown((root, name))
        if is_readable(name):
            entries.append(Entry(path, name, (real / name).stat().st_size))
        else:
            refused.append(SkippedFile(path, "is of a kind that cannot be read"))
    return LocalFiles(FileSource(root, folder_origin(str(folder)), Tree(real), limit), tuple(entries), tuple(refused))


def _member(path: str, data: bytes, modified: float) -> Iterator[bytes]:
    described = tarfile.TarInfo(path)
    described.size = len(data)
    described.mtime = int(modified)
    yield described.tobuf(tarfile.PAX_FORMAT, "utf-8", "strict")
    for start in range(0, len(data), _PIECE):
        yield data[start : start + _PIECE]
    yield bytes(-len(data) % _BLOCK)
