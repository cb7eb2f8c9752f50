"""A parser of Lucene's classic query grammar.

It accepts every query that Lucene accepts, except those that exceed the limits of depth and length.
"""

from dataclasses import dataclass
from typing import Final, Literal

from mcp_server.lucene.tokens import Kind, SyntaxProblem, Token, tokens
from mcp_server.lucene.tree import EXISTS, Clause, Group, Node, Range, Term, clauses_within

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

    def query(self) -> tuple[Clause, ...]:
        """Parse at least one clause, up to a closing parenthesis or the end."""
        clauses = [self.modified_clause("")]
        while self.kind() not in {"RPAREN", "EOF"}:
            operator: Literal["", "AND", "OR"] = ""
            if self.kind() in {"AND", "OR"}:
                operator = "AND" if self.take().kind == "AND" else "OR"
            clauses.append(self.modified_clause(operator))
        return tuple(clauses)

    def modified_clause(self, operator: Literal["", "AND", "OR"]) -> Clause:
        sign: Literal["", "+", "-"] = ""
        if self.kind() in {"PLUS", "MINUS", "NOT"}:
            sign = "+" if self.take().kind == "PLUS" else "-"
        start = field_end = self.token.position
        field = None
        if self.kind() in {"TERM", "STAR"} and self.tokens[self.next + 1].kind == "COLON":
            name = self.take()
            field, field_end = unescaped(name.text, name.position), name.end
            self.take()
        node = self.node(field)
        return Clause(node, operator, sign, start, self.tokens[self.next - 1].end, field_end)

    def node(self, field: str | None) -> Node:
        match self.kind():
            case "LPAREN":
                return self.group(field)
            case "RANGE_START":
                return self.range(field)
            case kind if kind in _TERMS:
                return self.term(field)
            case _:
                raise SyntaxProblem(_unexpected_token(self.token), self.token.position)

    def group(self, field: str | None) -> Group:
        opening = self.take()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise SyntaxProblem(f"more than {MAX_DEPTH} parentheses inside each other", opening.position)
        if self.kind() == "EOF":
            raise SyntaxProblem("unbalanced parenthesis", opening.position)
        clauses = self.query()
        if self.kind() == "EOF":
            raise SyntaxProblem("unbalanced parenthesis", opening.position)
        self.take()
        self.depth -= 1
        boost = self.boost()
        return Group(clauses, field, 1.0 if boost is None else boost)

    def term(self, field: str | None) -> Term:
        token = self.take()
        unescaped(token.text, token.position)
        fuzzy, boost = self.fuzzy(), self.boost()
        if fuzzy is None and boost is not None:
            fuzzy = self.fuzzy()
        kind, text = _term_text(token)
        return Term(kind, text, field, fuzzy, 1.0 if boost is None else boost)

    def fuzzy(self) -> str | None:
        return self.take().text[1:] if self.kind() == "FUZZY" else None

    def boost(self) -> float | None:
        if self.kind() != "CARAT":
            return None
        self.take()
        if self.kind() != "NUMBER":
            raise SyntaxProblem("a boost needs a number after ^", self.token.position)
        return float(self.take().text)

    def range(self, field: str | None) -> Range:
        opening = self.take()
        low = self.range_value(opening)
        if self.kind() != "RANGE_TO":
            raise SyntaxProblem("a range is written [low TO high]", self.token.position)
        self.take()
        high = self.range_value(opening)
        if self.kind() != "RANGE_END":
            raise SyntaxProblem("a range is written [low TO high], closed by ] or }", self.token.position)
        closing = self.take()
        boost = self.boost()
        return Range(low, high, opening.text == "[", closing.text == "]", field, 1.0 if boost is None else boost)

    def range_value(self, opening: Token) -> str:
        token = self.token
        if token.kind == "EOF":
            raise SyntaxProblem("unbalanced bracket of a range", opening.position)
        if token.kind not in _RANGE_VALUES:
            raise SyntaxProblem("a range is written [low TO high]; * stands for no limit", token.position)
        self.take()
        if token.kind == "RANGE_QUOTED":
            return unescaped(token.text[1:-1], token.position + 1)
        return unescaped(token.text, token.position)


def parse(query: str) -> Group:
    """Parse a query, which must not be blank; raises `SyntaxProblem`."""
    parser = _Parser(list(tokens(query)))
    clauses = parser.query()
    if parser.token.kind == "RPAREN":
        raise SyntaxProblem("unbalanced parenthesis", parser.token.position)
    return Group(clauses)


def fields_of(query: str) -> list[str]:
    """Parse a query and return the fields that it names, in order, each once; raises `SyntaxProblem`."""
    if not query.strip():
        return []
    named = (_named_field(clause.node) for clause in clauses_within(parse(query)))
    return list(dict.fromkeys(name for name in named if name is not None))


def _named_field(node: Node) -> str | None:
    if node.field == EXISTS and isinstance(node, Term) and node.kind == "word":
        return unescaped(node.text, 0)
    return node.field


def _term_text(token: Token) -> tuple[Literal["word", "phrase", "prefix", "wildcard", "regex"], str]:
    match token.kind:
        case "QUOTED":
            return "phrase", token.text[1:-1]
        case "REGEX":
            return "regex", token.text[1:-1]
        case "PREFIX":
            return "prefix", token.text[:-1]
        case "STAR" | "WILD":
            return "wildcard", token.text
        case "BAREOPER":
            return "word", token.text[0]
        case _:
            return "word", token.text


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
