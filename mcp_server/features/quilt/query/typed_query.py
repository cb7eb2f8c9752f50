"""Turns what a user typed into valid Lucene syntax: unchanged where it parses, else escaped to plain words."""

import re
from typing import Final

from mcp_server.lucene.syntax import fields_of
from mcp_server.lucene.tokens import SyntaxProblem

_PATH_SEPARATORS: Final = re.compile(r"(?<!\\)(?::(?=/)|/)")
_SPECIAL_CHARACTERS: Final = re.compile(r'[+\-=&|!(){}\[\]^"~:\\/]')
_RANGE_CHARACTERS: Final = re.compile(r"[<>]")
_OPERATORS: Final = re.compile(r"(?<!\S)(?:AND|OR|NOT)(?!\S)")


def to_valid_lucene(text: str) -> str:
    """Return a query that the catalog can parse. Path separators are escaped, so that paths are words."""
    with_escaped_paths = _PATH_SEPARATORS.sub(r"\\\g<0>", text)
    try:
        fields_of(with_escaped_paths)
    except SyntaxProblem:
        words = _SPECIAL_CHARACTERS.sub(r"\\\g<0>", _RANGE_CHARACTERS.sub(" ", text))
        return _OPERATORS.sub(r"\\\g<0>", words)
    return with_escaped_paths
