"""What is in a zip or tar file, one member after the other, with memory that no archive can stretch."""

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

from workers.sources.uploads.inflate import Damaged, Measured, Readable

IS_LINK: Final = "is a link"
NOT_REGULAR: Final = "is not a regular file"
UNREADABLE: Final = (BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError, ValueError)
"""What reading a member may raise when it is damaged; `Damaged` says that the archive is."""
_DIRECTORY_BYTES: Final = 24_000_000
"""A zip file's list of members is read at once."""
_HEADER_BYTES: Final = 1_000_000
_HEADERS: Final = frozenset(
    {
        tarfile.XHDTYPE,
        tarfile.XGLTYPE,
        tarfile.SOLARIS_XHDTYPE,
        tarfile.GNUTYPE_LONGNAME,
        tarfile.GNUTYPE_LONGLINK,
    }
)
_DAMAGED_TAR: Final = "is a damaged tar file, or none"
_WINDOWS: Final = 0
_UTF8_NAME: Final = 0x800
_ENCRYPTED: Final = 0x1


@dataclass(frozen=True, slots=True)
class Member:
    """One file in an archive; open it before asking for the next one."""

    name: str
    """As the archive has it: maybe absolute, maybe leading out."""
    open: Callable[[], Readable]
    modified: float | None = None
    packed: int | None = None
    """Bytes that it takes in the archive, where that is known."""
    reason: str | None = None
    """Why it is refused whatever its name and size."""


def zip_members(file: IO[bytes]) -> Iterator[Member]:
    """Yield the files of a zip file; `Damaged` if it is none."""
    try:
        with ZipFile(_Bounded(file)) as archive:
            for info in archive.infolist():
                if not info.is_dir():
                    opened = partial(archive.open, info)
                    yield Member(_name(info), opened, _modified(info), info.compress_size, _fault(info))
    except (BadZipFile, NotImplementedError, ValueError, IndexError):
        raise Damaged("is a damaged zip file") from None


def tar_members(stream: Measured) -> Iterator[Member]:
    """Yield the files of a tar file, in one pass; `Damaged` from where it cannot be read on."""
    try:
        file = cast("IO[bytes]", stream)
        with tarfile.open(fileobj=file, mode="r|", tarinfo=_Header, encoding="utf-8") as archive:
            while (info := archive.next()) is not None:
                # Only the present member matters; a long list of them would fill the memory.
                archive.members = []  # type: ignore[attr-defined]  # documented nowhere but in its source
                if not info.isdir():
                    yield _tar_member(archive, info)
    except (tarfile.TarError, EOFError, ValueError, RecursionError):
        raise Damaged(_DAMAGED_TAR) from None


def _tar_member(archive: tarfile.TarFile, info: tarfile.TarInfo) -> Member:
    def opened() -> Readable:
        return archive.extractfile(info) or io.BytesIO()

    if info.issym() or info.islnk():
        reason: str | None = IS_LINK
    else:
        reason = None if info.isreg() else NOT_REGULAR
    return Member(info.name, opened, float(info.mtime), reason=reason)


class _Header(tarfile.TarInfo):
    """Refuses headers that `tarfile` would read into memory whole."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError:
            if len(buf) == tarfile.BLOCKSIZE and not any(buf):
                raise
            # Else a damaged archive would look like one that ends here.
            raise Damaged(_DAMAGED_TAR) from None
        if (header.type in _HEADERS and header.size > _HEADER_BYTES) or header.type == tarfile.GNUTYPE_SPARSE:
            raise Damaged("is a tar file with headers that are not accepted")
        return header

    def _proc_gnusparse_10(self, *_: object) -> None:
        raise Damaged("is a tar file with headers that are not accepted")


class _Bounded(io.BufferedIOBase):
    """A file that does not give much at once."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = _DIRECTORY_BYTES + 1 if size is None or size < 0 else size
        piece = self._file.read(min(wanted, _DIRECTORY_BYTES + 1))
        if len(piece) > _DIRECTORY_BYTES:
            raise Damaged("is a zip file with too many members")
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
    if not info.flag_bits & _UTF8_NAME:
        try:
            # Many programs write UTF-8 without saying so.
            name = name.encode("cp437").decode()
        except UnicodeError:
            name = info.filename
    return name.replace("\\", "/") if info.create_system == _WINDOWS else name


def _modified(info: ZipInfo) -> float | None:
    try:
        return datetime(*info.date_time, tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        return None


def _fault(info: ZipInfo) -> str | None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return IS_LINK
    if kind not in {0, stat.S_IFREG}:
        return NOT_REGULAR
    if info.flag_bits & _ENCRYPTED:
        return "is encrypted"
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        return "is compressed in a way that cannot be undone here"
    return None
