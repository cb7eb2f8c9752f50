"""Patterns of Elasticsearch as regular expressions of RE2, which match in linear time."""

import re
from typing import Any, Final

import re2

Pattern = Any
"""A compiled pattern of RE2, which ships no types; `fullmatch` applies it."""
_WILDCARDS: Final = re.compile(r"\\(?P<escaped>[\s\S])|(?P<any>\*)|(?P<one>\?)|(?P<text>[\s\S])")
_REGEX_PARTS: Final = re.compile(
    r'\\(?P<class>[dDsSwW])|\\(?P<escaped>[^a-zA-Z0-9])|"(?P<quoted>[^"]*)"|\[(?P<negated>\^?)(?P<set>(?:\\[\s\S]|[^\]\\])+)\]'
    r"|(?P<any>@)|(?P<none>#)|(?P<operator>[.?+*|()]|\{\d+(?:,\d*)?\})"
    r"|(?P<unsupported>[&<>~{}\"\[\\])|(?P<text>[\s\S])"
)
_MISPLACED_OPERATOR: Final = re.compile(r"(?:\A|(?<!\\)[(|])[|?*+{)]|(?<!\\)\|\Z")
_SET_PARTS: Final = re.compile(r"\\(?P<escaped>[\s\S])|(?P<text>[\s\S])")
_NEVER: Final = r"[^\x00-\x{10FFFF}]"
_OPTIONS: Final = re2.Options()
# It would print the patterns of queries.
_OPTIONS.log_errors = False


class UnsupportedPattern(ValueError):
    """A pattern that is wrong, or beyond this engine."""


def glob(pattern: str) -> Pattern:
    """Compile a name in which `*` stands for any characters."""
    return _compile(".*".join(re2.escape(part) for part in pattern.split("*")))


def wildcard(pattern: str) -> Pattern:
    r"""Compile a pattern of `*` and `?`, which `\` escapes."""
    return _compile("".join(_wildcard_part(match) for match in _WILDCARDS.finditer(pattern)))


def regular_expression(pattern: str) -> Pattern:
    """Compile a regular expression of Lucene, without intersections, complements and intervals of numbers."""
    if _MISPLACED_OPERATOR.search(pattern):
        raise UnsupportedPattern("the regular expression has an operator that refers to nothing")
    return _compile("".join(_regex_part(match) for match in _REGEX_PARTS.finditer(pattern)))


def _wildcard_part(match: re.Match[str]) -> str:
    if match["any"]:
        return ".*"
    if match["one"]:
        return "."
    return str(re2.escape(match["escaped"] or match["text"]))


def _regex_part(match: re.Match[str]) -> str:
    match match.lastgroup:
        case "class":
            return f"\\{match['class']}"
        case "set":
            return f"[{match['negated']}{''.join(_set_part(part) for part in _SET_PARTS.finditer(match['set']))}]"
        case "any":
            return ".*"
        case "none":
            return _NEVER
        case "operator":
            return match["operator"]
        case "unsupported":
            raise UnsupportedPattern("the regular expression is wrong, or has & ~ or <>, which are not supported here")
        case name:
            return f"(?:{re2.escape(match[str(name)])})"


def _set_part(match: re.Match[str]) -> str:
    return "-" if match["text"] == "-" else str(re2.escape(match["escaped"] or match["text"]))


def _compile(expression: str) -> Pattern:
    try:
        return re2.compile(f"(?s){expression}", _OPTIONS)
    except re2.error:
        raise UnsupportedPattern("the pattern is wrong, or too complex here") from None
