"""Counts what a JSON text would become, piece by piece and without parsing it.

Parsing holds the interpreter's lock from the first byte to the last. A piece is scanned by a few operations on bytes.
"""

from itertools import accumulate
from typing import Final

LONG: Final = 1024
"""From this many bytes on, a string is a long one."""
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
        self.long: list[tuple[int, int]] = []
        """Where each long string begins and ends, quotes included."""
        self.longest = 0
        """Bytes of the longest of the long strings."""
        self._level = 0
        self._is_in_string = False
        self._opened_at = 0
        self._escape = b""
        self._end = 0

    @property
    def is_complete(self) -> bool:
        """Whether all strings, arrays and objects have ended."""
        return not self._is_in_string and self._level == 0

    def feed(self, piece: bytes) -> None:
        """Count the next piece, which may end anywhere."""
        start = self._end - len(self._escape)
        self._end += len(piece)
        # Each escape is replaced by as many bytes, so that positions stay.
        unescaped = (self._escape + piece).replace(b"\\\\", b"..").replace(b'\\"', b"..")
        # The other half of the last escape is in the next piece.
        self._escape = b"\\" if unescaped.endswith(b"\\") else b""
        parts = unescaped.removesuffix(self._escape).split(b'"')
        outside = b"".join(parts[self._is_in_string :: 2])
        self.outside += len(outside)
        self.values += outside.count(b",") + outside.count(b"[") + outside.count(b"{")
        self._follow_levels(outside.translate(_STEPS, _NOT_BRACKETS))
        self._follow_strings(list(map(len, parts)), start)

    def _follow_levels(self, steps: bytes) -> None:
        if steps:
            levels = list(accumulate(memoryview(steps).cast("b"), initial=self._level))
            self._level = levels[-1]
            self.depth = max(self.depth, *levels)

    def _follow_strings(self, lengths: list[int], start: int) -> None:
        """Follow the quotes, which stand between parts of these lengths."""
        quotes = len(lengths) - 1
        if quotes == 0:
            return
        if self._is_in_string:
            self._close(start + lengths[0])
        # Of the strings within this piece, the positions matter only if one of them is long.
        if max(lengths[1:-1], default=0) + 2 >= LONG:
            for number, end in enumerate(accumulate(length + 1 for length in lengths[:-1])):
                if number % 2 != self._is_in_string and number > 0:
                    self._opened_at = start + end - lengths[number] - 2
                    self._close(start + end - 1)
        self.strings += (quotes + (not self._is_in_string)) // 2
        self._is_in_string ^= bool(quotes % 2)
        if self._is_in_string:
            self._opened_at = start + sum(lengths) + quotes - lengths[-1] - 1

    def _close(self, quote: int) -> None:
        length = quote + 1 - self._opened_at
        self.longest = max(self.longest, length)
        if length >= LONG:
            self.long.append((self._opened_at, quote + 1))
