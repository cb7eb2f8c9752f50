"""Bytes that come in pieces, read like a file."""

from collections.abc import Iterator


class Pieces:
    """Reads from an iterator of pieces, asking for one at a time."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._left = b""

    def read(self, size: int, /) -> bytes:
        """Return some more bytes, at most as many as asked for, and none at the end only."""
        while not self._left:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._left = piece
        given, self._left = self._left[:size], self._left[size:]
        return given
