"""Highlights: HTML that is escaped but for the matches, which stand in `<mark>`. An entity is one character."""

import re
from html import unescape
from typing import Final

MARK: Final = "<mark>"
ELLIPSIS: Final = "…"
_TAGS: Final = re.compile(r"</?mark>")
_BETWEEN_NEIGHBOURS: Final = re.compile(r"</mark>([^\S\n]*\n?[^\S\n]*)<mark>")
_TAG_OR_CHARACTER: Final = re.compile(r"(</?mark>)|&[a-zA-Z0-9#]+;|.", re.DOTALL)


def join_marks(highlight: str) -> str:
    """Join marks with only blanks between them, but none of different paragraphs."""
    # Most marks have no neighbour, and a pattern takes three times as long to find that out.
    if not any(part.lstrip().startswith(MARK) for part in highlight.split("</mark>")[1:]):
        return highlight
    return _BETWEEN_NEIGHBOURS.sub(r"\1", highlight)


def plain_text(highlight: str) -> str:
    """Return the text without marks and escapes."""
    return unescape(_TAGS.sub("", highlight))


def skip_characters(highlight: str, count: int) -> str:
    """Return the highlight without its first characters; marks stay balanced."""
    is_open = False
    for piece in _TAG_OR_CHARACTER.finditer(highlight):
        if piece[1]:
            is_open = piece[1] == MARK
        elif count:
            count -= 1
        else:
            return (MARK if is_open else "") + highlight[piece.start() :]
    return ""
