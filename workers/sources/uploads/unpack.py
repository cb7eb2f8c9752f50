"""Iterates over the members of a zip or tar file, with bounded memory for any archive."""

import io
import stat
import tarfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import IO, Final, Self, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from workers.sources.uploads.inflate import InflatedStream, Readable, UnreadableArchive
from workers.sources.uploads.packing import PackingNote, read_note

IS_LINK: Final = "is a link"
NOT_REGULAR: Final = "is not a regular file"
MEMBER_ERRORS: Final = (BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError, ValueError)
"""Raised while reading a damaged member; `UnreadableArchive` is for the archive as a whole."""
_MAX_DIRECTORY_BYTES: Final = 24_000_000
"""`zipfile` reads the central directory into memory at once."""
_MAX_HEADER_BYTES: Final = 1_000_000
_EXTENDED_HEADERS: Final = frozenset(
    {
        tarfile.XHDTYPE,
        tarfile.XGLTYPE,
        tarfile.SOLARIS_XHDTYPE,
        tarfile.GNUTYPE_LONGNAME,
        tarfile.GNUTYPE_LONGLINK,
    }
)
_DAMAGED_TAR: Final = "is a damaged tar file, or none"
_CREATED_ON_WINDOWS: Final = 0
_UTF8_NAME_FLAG: Final = 0x800
_ENCRYPTED_FLAG: Final = 0x1


@dataclass(frozen=True, slots=True)
class Member:
    """One file in an archive; it can be opened only until the next member is requested."""

    name: str
    """As written in the archive; it may be absolute or lead out of the upload."""
    open: Callable[[], Readable]
    modified: float | None = None
    packed: int | None = None
    """Compressed size in bytes, if known."""
    reason: str | None = None
    """Why the member is not read, whatever its size."""
    note: PackingNote | None = None
    """What the sender says instead of a content."""


def zip_members(file: IO[bytes]) -> Iterator[Member]:
    """Yield the files of a zip file; `UnreadableArchive` if it is not one."""
    try:
        with ZipFile(_BoundedFile(file)) as archive:
            for info in archive.infolist():
                if not info.is_dir():
                    open_member = partial(archive.open, info)
                    yield Member(_name(info), open_member, _modified(info), info.compress_size, _skip_reason(info))
    except (BadZipFile, NotImplementedError, ValueError, IndexError):
        raise UnreadableArchive("is a damaged zip file") from None


def tar_members(stream: InflatedStream) -> Iterator[Member]:
    """Yield the files of a tar file in one pass; `UnreadableArchive` where it cannot be read further."""
    try:
        file = cast("IO[bytes]", stream)
        with tarfile.open(fileobj=file, mode="r|", tarinfo=_CheckedHeader, encoding="utf-8") as archive:
            while (info := archive.next()) is not None:
                # `tarfile` collects all members, which would fill the memory.
                archive.members = []  # type: ignore[attr-defined]  # undocumented
                if not info.isdir():
                    yield _tar_member(archive, info)
    except (tarfile.TarError, EOFError, ValueError, RecursionError):
        raise UnreadableArchive(_DAMAGED_TAR) from None


def _tar_member(archive: tarfile.TarFile, info: tarfile.TarInfo) -> Member:
    def open_member() -> Readable:
        return archive.extractfile(info) or io.BytesIO()

    if info.issym() or info.islnk():
        reason: str | None = IS_LINK
    else:
        reason = None if info.isreg() else NOT_REGULAR
    return Member(info.name, open_member, float(info.mtime), reason=reason, note=read_note(info.pax_headers))


class _CheckedHeader(tarfile.TarInfo):
    """Refuses headers that `tarfile` would read into memory at once."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError:
            if len(buf) == tarfile.BLOCKSIZE and not any(buf):
                raise
            # `tarfile` would treat a damaged header as the end of the archive.
            raise UnreadableArchive(_DAMAGED_TAR) from None
        if (
            header.type in _EXTENDED_HEADERS and header.size > _MAX_HEADER_BYTES
        ) or header.type == tarfile.GNUTYPE_SPARSE:
            raise UnreadableArchive("is a tar file with headers that are not accepted")
        return header

    def _proc_gnusparse_10(self, *_: object) -> None:
        raise UnreadableArchive("is a tar file with headers that are not accepted")


class _BoundedFile(io.BufferedIOBase):
    """A file whose single reads are bounded."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def read(self, size: int | None = -1, /) -> bytes:
        requested = _MAX_DIRECTORY_BYTES + 1 if size is None or size < 0 else size
        piece = self._file.read(min(requested, _MAX_DIRECTORY_BYTES + 1))
        if len(piece) > _MAX_DIRECTORY_BYTES:
            raise UnreadableArchive("is a zip file with too many members")
        return piece

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True


def _name(info: ZipInfo) -> str:
    name = info.filename
    if not info.flag_bits & _UTF8_NAME_FLAG:
        try:
            # Many programs write UTF-8 names without setting the flag.
            name = name.encode("cp437").decode()
        except UnicodeError:
            name = info.filename
    return name.replace("\\", "/") if info.create_system == _CREATED_ON_WINDOWS else name


def _modified(info: ZipInfo) -> float | None:
    try:
        return datetime(*info.date_time, tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        return None


def _skip_reason(info: ZipInfo) -> str | None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return IS_LINK
    if kind not in {0, stat.S_IFREG}:
        return NOT_REGULAR
    if info.flag_bits & _ENCRYPTED_FLAG:
        return "is encrypted"
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        return "is compressed in a way that cannot be undone here"
    return None
