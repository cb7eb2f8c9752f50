"""Escapes text for use in a Lucene query."""

from typing import Final

_NOT_ESCAPED: Final = frozenset("_.")
_OPERATORS: Final = frozenset({"AND", "OR", "NOT"})


def quoted(text: str) -> str:
    """Return a text as a quoted phrase."""
    content = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{content}"'


def escaped(text: str, keep: frozenset[str] = frozenset()) -> str:
    """Return a text as one term, with every character escaped that may be syntax."""
    if text in _OPERATORS:
        return f"\\{text}"
    return "".join(
        character if character.isalnum() or character in _NOT_ESCAPED or character in keep else f"\\{character}"
        for character in text
    )
