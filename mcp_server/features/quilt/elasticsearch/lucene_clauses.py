"""Splits a query into required, excluded and optional clauses, like Lucene's classic query parser."""

from dataclasses import dataclass
from typing import Final

_AND: Final = frozenset({"AND", "&&"})
_OR: Final = frozenset({"OR", "||"})
_OPENING_BRACKETS: Final = "([{"
_CLOSING_BRACKETS: Final = ")]}"


@dataclass(frozen=True, slots=True)
class Clauses:
    """The clauses of a query as strings: words, phrases, ranges and whole groups."""

    optional: tuple[str, ...]
    """At least one must match; where there are required clauses they only affect the score."""
    required: tuple[str, ...]
    excluded: tuple[str, ...]


def split_clauses(text: str) -> Clauses:
    """Split a query into its clauses; its syntax must be valid."""
    clauses: list[list[str]] = []
    joined, negated = False, False
    for part in _split_parts(text):
        if part in _AND:
            joined = True
            if clauses and not clauses[-1][0]:
                clauses[-1][0] = "+"
        elif part == "NOT":
            negated = True
        elif part not in _OR:
            sign = part[0].replace("!", "-") if part[0] in "+-!" else ""
            word = part[1:] if sign else part
            clauses.append(["-" if negated else sign or ("+" if joined else ""), word])
            joined, negated = False, False
    return Clauses(*(tuple(word for sign, word in clauses if sign == selected) for selected in ("", "+", "-")))


def group_content(clause: str) -> str | None:
    """Return the text inside the parentheses of a group; None where the clause is not a group."""
    return clause[1:-1] if clause.startswith("(") and clause.endswith(")") and len(_split_parts(clause)) == 1 else None


def _split_parts(text: str) -> list[str]:
    """Split at whitespace outside of phrases and brackets."""
    parts, depth, quoted, position = [""], 0, False, 0
    while position < len(text):
        character = text[position : position + (2 if text[position] == "\\" else 1)]
        position += len(character)
        if character == '"':
            quoted = not quoted
        elif not quoted:
            depth += (character in _OPENING_BRACKETS) - (character in _CLOSING_BRACKETS)
        if character.isspace() and not quoted and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part.strip("+-!")]
