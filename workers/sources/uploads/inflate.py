"""Decompression of uploads. Bytes are counted before and after it, so that bombs are seen while they unpack."""

import gzip
import lzma
import zlib
from typing import IO, Final, Protocol, cast

MAX_RATIO: Final = 200
"""Text never compresses better than to this fraction of its size."""
MIN_BOMB_BYTES: Final = 10_000_000
"""Below this size the compression ratio does not matter."""
_PIECE_BYTES: Final = 64 * 1024
_XZ_MEMORY_BYTES: Final = 128_000_000
_GZIP_MAGIC: Final = b"\x1f\x8b"
_XZ_MAGIC: Final = b"\xfd7zXZ\x00"


class UnreadableArchive(Exception):
    """An archive that cannot be read to its end. The reason completes the sentence "this file …"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Readable(Protocol):
    """A binary stream."""

    def read(self, size: int, /) -> bytes: ...


class InflatedStream:
    """A stream decompressed from gzip or xz, which it recognises by the first bytes; for a single reader."""

    def __init__(self, stream: Readable, limit: int) -> None:
        self._packed = _CountingStream(stream)
        self._limit = limit
        self._bytes_read = 0
        self._empty_reads = 0
        start = self._packed.peek(len(_XZ_MAGIC))
        self._inner: Readable = self._packed
        if start.startswith(_GZIP_MAGIC):
            self._inner = gzip.GzipFile(fileobj=cast("IO[bytes]", self._packed))
        elif start == _XZ_MAGIC:
            self._inner = _XzStream(self._packed)

    def read(self, size: int = _PIECE_BYTES, /) -> bytes:
        try:
            piece = self._inner.read(size)
        except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile):
            raise UnreadableArchive("is damaged: its compression cannot be undone") from None
        self._bytes_read += len(piece)
        if self._bytes_read > self._limit:
            raise UnreadableArchive(f"unpacks to more than {self._limit / 1e6:g} MB")
        if self._bytes_read > max(MIN_BOMB_BYTES, MAX_RATIO * self._packed.bytes_read):
            raise UnreadableArchive(f"unpacks to more than {MAX_RATIO} times its size")
        if not piece:
            # With a forged length, a reader would never stop reading.
            self._empty_reads += 1
            if self._empty_reads > 2:
                raise UnreadableArchive("is damaged: it ends too early")
        return piece


class _CountingStream:
    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._start = b""
        self.bytes_read = 0

    def peek(self, size: int) -> bytes:
        while len(self._start) < size and (more := self._stream.read(size - len(self._start))):
            self._start += more
        return self._start

    def read(self, size: int = _PIECE_BYTES, /) -> bytes:
        piece = self._start[:size] or self._stream.read(size)
        self._start = self._start[size:]
        self.bytes_read += len(piece)
        return piece


class _XzStream:
    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY_BYTES)

    def read(self, size: int, /) -> bytes:
        while not self._decompressor.eof:
            more = self._stream.read(_PIECE_BYTES) if self._decompressor.needs_input else b""
            if self._decompressor.needs_input and not more:
                raise EOFError
            if piece := self._decompressor.decompress(more, size):
                return piece
        return b""
