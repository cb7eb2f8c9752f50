"""Texts as parts of a Lucene query: whatever a text holds, it stays a text."""

from typing import Final

_PLAIN: Final = frozenset("_.")
_OPERATORS: Final = frozenset({"AND", "OR", "NOT"})


def quoted(text: str) -> str:
    """Write a text as a phrase."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def escaped(text: str, keep: frozenset[str] = frozenset()) -> str:
    """Write a text as one word: everything that could mean something is escaped."""
    if text in _OPERATORS:
        return f"\\{text}"
    return "".join(
        character if character.isalnum() or character in _PLAIN or character in keep else f"\\{character}"
        for character in text
    )
