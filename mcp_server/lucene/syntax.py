"""A parser of Lucene's classic query grammar: it checks a query before the call and collects the fields it names.

It accepts every query that Lucene accepts, except those that exceed the limits of depth and length.
"""

from dataclasses import dataclass, field
from typing import Final

from mcp_server.lucene.tokens import Kind, SyntaxProblem, Token, tokens

MAX_DEPTH: Final = 50
MAX_CHARACTERS: Final = 10_000
_TERMS: Final[frozenset[Kind]] = frozenset({"TERM", "STAR", "PREFIX", "WILD", "REGEX", "NUMBER", "BAREOPER", "QUOTED"})
_RANGE_VALUES: Final[frozenset[Kind]] = frozenset({"RANGE_GOOP", "RANGE_QUOTED", "RANGE_TO"})
_HEX: Final = frozenset("0123456789abcdefABCDEF")
_UNICODE_DIGITS: Final = 4


@dataclass(slots=True)
class _Parser:
    """Recursive descent with one token of lookahead, and two where a field name may appear."""

    tokens: list[Token]
    fields: list[str] = field(default_factory=list)
    next: int = 0
    depth: int = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.next]

    def kind(self) -> Kind:
        return self.tokens[self.next].kind

    def take(self) -> Token:
        token = self.tokens[self.next]
        self.next += 1
        return token

    def query(self) -> None:
        """Parse at least one clause, up to a closing parenthesis or the end."""
        self.modified_clause()
        while self.kind() not in {"RPAREN", "EOF"}:
            if self.kind() in {"AND", "OR"}:
                self.take()
            self.modified_clause()

    def modified_clause(self) -> None:
        if self.kind() in {"PLUS", "MINUS", "NOT"}:
            self.take()
        self.clause()

    def clause(self) -> None:
        if self.kind() in {"TERM", "STAR"} and self.tokens[self.next + 1].kind == "COLON":
            name = self.take()
            self.fields.append(unescaped(name.text, name.position))
            self.take()
            if self.fields[-1] == "_exists_" and self.kind() == "TERM":
                self.fields[-1] = unescaped(self.token.text, self.token.position)
        match self.kind():
            case "LPAREN":
                self.group()
            case "RANGE_START":
                self.range()
            case kind if kind in _TERMS:
                self.term()
            case _:
                raise SyntaxProblem(_unexpected_token(self.token), self.token.position)

    def group(self) -> None:
        opening = self.take()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise SyntaxProblem(f"more than {MAX_DEPTH} parentheses inside each other", opening.position)
        if self.kind() == "EOF":
            raise SyntaxProblem("unbalanced parenthesis", opening.position)
        self.query()
        if self.kind() == "EOF":
            raise SyntaxProblem("unbalanced parenthesis", opening.position)
        self.take()
        self.depth -= 1
        self.boost()

    def term(self) -> None:
        token = self.take()
        unescaped(token.text, token.position)
        if self.kind() == "FUZZY":
            self.take()
            self.boost()
        elif self.boost() and self.kind() == "FUZZY":
            self.take()

    def boost(self) -> bool:
        if self.kind() != "CARAT":
            return False
        self.take()
        if self.kind() != "NUMBER":
            raise SyntaxProblem("a boost needs a number after ^", self.token.position)
        self.take()
        return True

    def range(self) -> None:
        opening = self.take()
        self.range_value(opening)
        if self.kind() != "RANGE_TO":
            raise SyntaxProblem("a range is written [low TO high]", self.token.position)
        self.take()
        self.range_value(opening)
        if self.kind() != "RANGE_END":
            raise SyntaxProblem("a range is written [low TO high], closed by ] or }", self.token.position)
        self.take()
        self.boost()

    def range_value(self, opening: Token) -> None:
        token = self.token
        if token.kind == "EOF":
            raise SyntaxProblem("unbalanced bracket of a range", opening.position)
        if token.kind not in _RANGE_VALUES:
            raise SyntaxProblem("a range is written [low TO high]; * stands for no limit", token.position)
        self.take()
        if token.kind == "RANGE_QUOTED":
            unescaped(token.text[1:-1], token.position + 1)
        else:
            unescaped(token.text, token.position)


def fields_of(query: str) -> list[str]:
    """Parse a query and return the fields that it names, in order, each once; raises `SyntaxProblem`."""
    if not query.strip():
        return []
    parser = _Parser(list(tokens(query)))
    parser.query()
    if parser.token.kind == "RPAREN":
        raise SyntaxProblem("unbalanced parenthesis", parser.token.position)
    return list(dict.fromkeys(parser.fields))


def unescaped(text: str, position: int) -> str:
    r"""Resolve the escapes of a text; \u must be followed by four hexadecimal digits."""
    if "\\" not in text:
        return text
    characters: list[str] = []
    index = 0
    while index < len(text):
        if text[index] != "\\":
            characters.append(text[index])
            index += 1
            continue
        following = text[index + 1 : index + 2]
        if not following:
            raise SyntaxProblem("backslash with nothing after it", position + index)
        if following != "u":
            characters.append(following)
            index += 2
            continue
        digits = text[index + 2 : index + 2 + _UNICODE_DIGITS]
        if len(digits) < _UNICODE_DIGITS or not _HEX.issuperset(digits):
            raise SyntaxProblem("\\u needs four hexadecimal digits", position + index)
        characters.append(chr(int(digits, 16)))
        index += 2 + _UNICODE_DIGITS
    return "".join(characters)


def _unexpected_token(token: Token) -> str:
    match token.kind:
        case "EOF":
            return "something is missing at the end"
        case "RPAREN":
            return "unexpected )"
        case "COLON":
            return "unexpected :, write it as \\: inside a word"
        case "FUZZY":
            return "~ must follow a word or a phrase"
        case "CARAT":
            return "^ must follow a word, a phrase or a group"
        case _:
            return f"{token.kind} where a word, a phrase, a range or a group was expected"
