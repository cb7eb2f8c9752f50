"""Counts what a JSON text would become, piece by piece and without parsing it.

Parsing holds the interpreter's lock from the first byte to the last. A piece is scanned by a few operations on bytes.
"""

from itertools import accumulate
from typing import Final

_BRACKETS: Final = b"[]{}"
_NOT_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in _BRACKETS)
_STEPS: Final = bytes.maketrans(_BRACKETS, b"\x01\xff\x01\xff")
"""An opening bracket is one level more, a closing one is one less, as signed bytes."""


class Outline:
    """Counts over the pieces fed so far. Of an invalid text, they hold up to where a parser stops."""

    def __init__(self) -> None:
        self.values = 1
        """Members of all arrays and objects, and the text's own value; an empty container counts as if it had one."""
        self.depth = 0
        """The deepest nesting of arrays and objects."""
        self.strings = 0
        """Strings that have begun, names of members included."""
        self.outside = 0
        """Bytes outside of strings: numbers, brackets, white space."""
        self._level = 0
        self._is_in_string = False
        self._escape = b""

    def feed(self, piece: bytes) -> None:
        """Count the next piece, which may end anywhere."""
        unescaped = (self._escape + piece).replace(b"\\\\", b"")
        # Its other half is in the next piece.
        self._escape = b"\\" if unescaped.endswith(b"\\") else b""
        parts = unescaped.replace(b'\\"', b"").split(b'"')
        outside = b"".join(parts[self._is_in_string :: 2])
        quotes = len(parts) - 1
        self.strings += (quotes + (not self._is_in_string)) // 2
        self._is_in_string ^= bool(quotes % 2)
        self.outside += len(outside)
        self.values += outside.count(b",") + outside.count(b"[") + outside.count(b"{")
        self._follow(outside.translate(_STEPS, _NOT_BRACKETS))

    def _follow(self, steps: bytes) -> None:
        if steps:
            levels = list(accumulate(memoryview(steps).cast("b"), initial=self._level))
            self._level = levels[-1]
            self.depth = max(self.depth, *levels)
