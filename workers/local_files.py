"""Files of this machine for an upload: listed by the rules of folder sources, and packed as a tar stream."""

import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workers.sources.files import FileSource
from workers.sources.folder import folder_name, folder_origin
from workers.sources.interface import Entry, FailedFile
from workers.sources.names import is_readable, shown
from workers.sources.patterns import Selection
from workers.sources.tree import Tree

__all__ = ["TAR", "FailedFile", "LocalFiles", "files_of_folder", "single_files"]

_BLOCK_BYTES: Final = tarfile.BLOCKSIZE
_PIECE_BYTES: Final = 1 << 20
TAR: Final = "files.tar"
"""The file name of the stream; the names in it are relative to the folder."""


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """Files below one folder, under that folder's name; `refused` lists those that cannot be sent, with the reason."""

    source: FileSource
    entries: tuple[Entry, ...]
    refused: tuple[FailedFile, ...]
    mirror: bool = False

    @property
    def size(self) -> int:
        return sum(entry.size for entry in self.entries)

    def tar(self, sent: Callable[[int], None]) -> Iterator[bytes]:
        """Yield the files as one tar stream, without those that are gone; call `sent` with the size of each."""
        for entry in self.entries:
            item = self.source.read(entry)
            if not isinstance(item, FailedFile):
                yield from _member(entry.path.partition("/")[2], item.data, self._modified(entry))
            sent(entry.size)
        yield bytes(2 * _BLOCK_BYTES)

    def _modified(self, entry: Entry) -> float:
        try:
            return self.source.tree.look(tuple(entry.locator.split("/"))).st_mtime
        except OSError:
            return 0.0


def files_of_folder(
    folder: Path, *, include: Iterable[str], exclude: Iterable[str], mirror: bool, limit: int
) -> LocalFiles:
    """List a folder by the same rules as a folder source."""
    selection = Selection.read(list(include), list(exclude))
    source = FileSource(
        folder_name(str(folder)), folder_origin(str(folder)), Tree(folder.resolve()), limit, selection=selection
    )
    listed = list(source.list())
    return LocalFiles(
        source,
        tuple(entry for entry in listed if isinstance(entry, Entry)),
        tuple(skipped for skipped in listed if isinstance(skipped, FailedFile)),
        mirror,
    )


def single_files(folder: Path, names: Iterable[str], *, limit: int) -> LocalFiles:
    """Take single files of one folder; their ids are the same as if the whole folder were sent."""
    real, root = folder.resolve(), folder_name(str(folder))
    entries, refused = [], []
    for name in names:
        path = shown((root, name))
        if is_readable(name):
            entries.append(Entry(path, name, (real / name).stat().st_size))
        else:
            refused.append(FailedFile(path, "is of a kind that cannot be read"))
    return LocalFiles(FileSource(root, folder_origin(str(folder)), Tree(real), limit), tuple(entries), tuple(refused))


def _member(path: str, data: bytes, modified: float) -> Iterator[bytes]:
    header = tarfile.TarInfo(path)
    header.size = len(data)
    header.mtime = int(modified)
    yield header.tobuf(tarfile.PAX_FORMAT, "utf-8", "strict")
    for start in range(0, len(data), _PIECE_BYTES):
        yield data[start : start + _PIECE_BYTES]
    yield bytes(-len(data) % _BLOCK_BYTES)
