"""What people type, as the catalog's query syntax takes it: Lucene where it is that, plain words where it is not."""

import re
from typing import Final

from mcp_server.lucene.syntax import fields_of
from mcp_server.lucene.tokens import SyntaxProblem

_PATHS: Final = re.compile(r"(?<!\\)(?::(?=/)|/)")
_SIGNS: Final = re.compile(r'[+\-=&|!(){}\[\]^"~:\\/]')
_RANGE_SIGNS: Final = re.compile(r"[<>]")
_OPERATORS: Final = re.compile(r"(?<!\S)(?:AND|OR|NOT)(?!\S)")


def sendable(text: str) -> str:
    """Return a query that the catalog can read: paths are words, and what is no query at all is taken by its words."""
    with_paths = _PATHS.sub(r"\\\g<0>", text)
    try:
        fields_of(with_paths)
    except SyntaxProblem:
        words = _SIGNS.sub(r"\\\g<0>", _RANGE_SIGNS.sub(" ", text))
        return _OPERATORS.sub(r"\\\g<0>", words)
    return with_paths
