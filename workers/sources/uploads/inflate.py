"""Streams of uploads, counted on both sides of their compression, so that bombs are seen while they unpack."""

import gzip
import lzma
import zlib
from typing import IO, Final, Protocol, cast

MOST_TIMES: Final = 200
"""No text is packed better than to this part of it."""
HARMLESS: Final = 10_000_000
"""Bytes below which nobody minds how well they were packed."""
_PIECE: Final = 64 * 1024
_XZ_MEMORY: Final = 128_000_000
_GZIP: Final = b"\x1f\x8b"
_XZ: Final = b"\xfd7zXZ\x00"


class Damaged(Exception):
    """An archive that cannot be read, or not on from here; the reason finishes the sentence "this file …"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Readable(Protocol):
    """Anything that bytes come from."""

    def read(self, size: int, /) -> bytes: ...


class Measured:
    """A stream after undoing gzip or xz, by what it begins with; give it to one reader only."""

    def __init__(self, stream: Readable, limit: int) -> None:
        self._counted = _Counted(stream)
        self._limit = limit
        self._given = 0
        self._ends = 0
        start = self._counted.peek(len(_XZ))
        self._inner: Readable = self._counted
        if start.startswith(_GZIP):
            self._inner = gzip.GzipFile(fileobj=cast("IO[bytes]", self._counted))
        elif start == _XZ:
            self._inner = _Xz(self._counted)

    def read(self, size: int = _PIECE, /) -> bytes:
        try:
            piece = self._inner.read(size)
        except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile):
            raise Damaged("is damaged: its compression cannot be undone") from None
        self._given += len(piece)
        if self._given > self._limit:
            raise Damaged(f"unpacks to more than {self._limit / 1e6:g} MB")
        if self._given > max(HARMLESS, MOST_TIMES * self._counted.taken):
            raise Damaged(f"unpacks to more than {MOST_TIMES} times its size")
        if not piece:
            # A forged length would have a reader ask for ever.
            self._ends += 1
            if self._ends > 2:
                raise Damaged("is damaged: it ends too early")
        return piece


class _Counted:
    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._start = b""
        self.taken = 0

    def peek(self, size: int) -> bytes:
        while len(self._start) < size and (more := self._stream.read(size - len(self._start))):
            self._start += more
        return self._start

    def read(self, size: int = _PIECE, /) -> bytes:
        piece = self._start[:size] or self._stream.read(size)
        self._start = self._start[size:]
        self.taken += len(piece)
        return piece


class _Xz:
    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._unpacking = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)

    def read(self, size: int, /) -> bytes:
        while not self._unpacking.eof:
            more = self._stream.read(_PIECE) if self._unpacking.needs_input else b""
            if self._unpacking.needs_input and not more:
                raise EOFError
            if piece := self._unpacking.decompress(more, size):
                return piece
        return b""
