"""The title of a document, and the text that begins with it, so that searches find it."""

from typing import Final

from indexer.archives.stored import StoredPlace

_MAX_LINE_LENGTH: Final = 120
"""A longer first line is a paragraph, and no title."""


def title_of(stated: str, text: str, path: str) -> str:
    """Return the title that the document states or heads itself with, else its first line, else its file name."""
    if stated:
        return stated
    line = " ".join(text.lstrip().partition("\n")[0].split())
    return line if line and len(line) <= _MAX_LINE_LENGTH else path.rstrip("/").rpartition("/")[2]


def is_line(title: str, text: str, start: int) -> bool:
    """Return whether the title is all of the line that begins here, and not just the start of a sentence."""
    return text.startswith(title, start) and text[start + len(title) : start + len(title) + 1] in {"", "\n"}


def begin_with_title(title: str, text: str, places: list[StoredPlace]) -> tuple[str, list[StoredPlace]]:
    """Return the text with the title as its first line, and the places moved by what was added."""
    if not title or is_line(title, text, 0):
        return text, places
    prefix = f"{title}\n\n"
    return prefix + text, [(start + len(prefix), page, heading, line) for start, page, heading, line in places]
