"""The lexer of Lucene's classic query syntax: the longest token wins, then the first rule, as in Lucene's own."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal[
    "AND",
    "OR",
    "NOT",
    "PLUS",
    "MINUS",
    "BAREOPER",
    "LPAREN",
    "RPAREN",
    "COLON",
    "STAR",
    "CARAT",
    "QUOTED",
    "TERM",
    "FUZZY",
    "PREFIX",
    "WILD",
    "REGEX",
    "RANGE_START",
    "NUMBER",
    "RANGE_TO",
    "RANGE_END",
    "RANGE_QUOTED",
    "RANGE_GOOP",
    "EOF",
]
_State = Literal["default", "boost", "range"]

_SPACE: Final = r" \t\n\r\u3000"
_ESCAPED: Final = r"\\[\s\S]"
_START: Final = rf'(?:[^{_SPACE}+\-!():^\[\]"{{}}~*?\\/]|{_ESCAPED})'
_TERM: Final = rf"(?:{_START}|[-+])"
_WHITESPACE: Final = re.compile(f"[{_SPACE}]+")


def _rules(*rules: tuple[Kind, str]) -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern)) for kind, pattern in rules)


_RULES: Final[Mapping[_State, Sequence[tuple[Kind, re.Pattern[str]]]]] = {
    "default": _rules(
        ("AND", r"AND|&&"),
        ("OR", r"OR|\|\|"),
        ("NOT", r"NOT|!"),
        ("PLUS", r"\+"),
        ("MINUS", r"-"),
        ("BAREOPER", rf"[-+!][{_SPACE}]"),
        ("LPAREN", r"\("),
        ("RPAREN", r"\)"),
        ("COLON", r":"),
        ("STAR", r"\*"),
        ("CARAT", r"\^"),
        ("QUOTED", rf'"(?:[^"\\]|{_ESCAPED})*"'),
        ("TERM", rf"{_START}{_TERM}*"),
        ("FUZZY", rf"~(?:[0-9]+(?:\.[0-9]+)?)?{_TERM}*"),
        ("PREFIX", rf"\*|{_START}{_TERM}*\*"),
        ("WILD", rf"(?:{_START}|[*?])(?:{_TERM}|[*?])*"),
        ("REGEX", r"/(?:\\/|[^/])*/"),
        ("RANGE_START", r"[\[{]"),
    ),
    "boost": _rules(("NUMBER", r"[0-9]+(?:\.[0-9]+)?")),
    "range": _rules(
        ("RANGE_TO", r"TO"),
        ("RANGE_END", r"[\]}]"),
        ("RANGE_QUOTED", r'"(?:\\"|[^"])+"'),
        ("RANGE_GOOP", r"[^ \]}]+"),
    ),
}
_NEXT_STATE: Final[Mapping[Kind, _State]] = {
    "CARAT": "boost",
    "RANGE_START": "range",
    "NUMBER": "default",
    "RANGE_END": "default",
}


class SyntaxProblem(Exception):
    """A syntax error and its position, counted from 0. The message contains nothing of the query."""

    def __init__(self, what: str, position: int) -> None:
        super().__init__(what)
        self.what = what
        self.position = position


@dataclass(frozen=True, slots=True)
class Token:
    """A token of the query and its position."""

    kind: Kind
    text: str
    position: int

    @property
    def end(self) -> int:
        return self.position + len(self.text)


def tokens(query: str) -> Iterator[Token]:
    """Tokenise a query; the last token is EOF. Raises `SyntaxProblem` where no token matches."""
    state: _State = "default"
    position = 0
    while position < len(query):
        token = _longest_token(query, position, state)
        # Whitespace is not allowed between ^ and its number.
        space = _WHITESPACE.match(query, position) if state != "boost" else None
        if space is not None and (token is None or len(token.text) <= 1):
            position = space.end()
            continue
        if token is None:
            raise SyntaxProblem(_lexer_error(query[position], state), position)
        yield token
        state = _NEXT_STATE.get(token.kind, state)
        position += len(token.text)
    yield Token("EOF", "", len(query))


def _longest_token(query: str, position: int, state: _State) -> Token | None:
    best: Token | None = None
    for kind, pattern in _RULES[state]:
        match = pattern.match(query, position)
        if match is not None and (best is None or len(match[0]) > len(best.text)):
            best = Token(kind, match[0], position)
    return best


def _lexer_error(character: str, state: _State) -> str:
    if state == "boost":
        return "a boost needs a number after ^"
    return {
        '"': "unbalanced quote",
        "/": "unbalanced slash of a regular expression",
        "\\": "backslash with nothing after it",
        "]": "unbalanced bracket",
        "}": "unbalanced brace",
    }.get(character, "unexpected character")
