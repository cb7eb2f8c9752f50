"""Reads an iterator of bytes like a file."""

from collections.abc import Iterator


class ByteStream:
    """A readable stream over an iterator of chunks; it takes a chunk only when its buffer is empty."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._buffer = b""

    def read(self, size: int, /) -> bytes:
        """Return at least one and at most `size` bytes, or b"" at the end."""
        while not self._buffer:
            chunk = next(self._chunks, None)
            if chunk is None:
                return b""
            self._buffer = chunk
        data, self._buffer = self._buffer[:size], self._buffer[size:]
        return data
