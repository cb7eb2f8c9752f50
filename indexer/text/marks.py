"""Highlights: HTML that is escaped but for the matches, which stand in `<mark>`. An entity is one character."""

import re
from html import unescape
from typing import Final

MARK: Final = "<mark>"
MARK_END: Final = "</mark>"
ELLIPSIS: Final = "…"
_TAGS: Final = re.compile(r"</?mark>")
_BETWEEN_NEIGHBOURS: Final = re.compile(r"</mark>([^\S\n]*\n?[^\S\n]*)<mark>")
PIECES: Final = re.compile(r"</?mark>|&[a-zA-Z0-9#]+;|.", re.DOTALL)
"""The tags and the characters of a highlight, one by one."""


def join_marks(highlight: str) -> str:
    """Join marks with only blanks between them, but none of different paragraphs."""
    return _BETWEEN_NEIGHBOURS.sub(r"\1", highlight)


def plain_text(highlight: str) -> str:
    """Return the text without marks and escapes."""
    return unescape(_TAGS.sub("", highlight))


def characters_of(highlight: str) -> int:
    """Return how many characters a reader sees."""
    return len(plain_text(highlight))


def skip_characters(highlight: str, count: int) -> str:
    """Return the highlight without its first characters; marks stay balanced."""
    is_open = False
    for piece in PIECES.finditer(highlight):
        if piece[0] in {MARK, MARK_END}:
            is_open = piece[0] == MARK
        elif count:
            count -= 1
        else:
            return (MARK if is_open else "") + highlight[piece.start() :]
    return ""
