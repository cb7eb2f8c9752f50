"""A query by its clauses: which must be there, which must not, which may; as Lucene's classic syntax reads them."""

from dataclasses import dataclass
from typing import Final

_AND: Final = frozenset({"AND", "&&"})
_OR: Final = frozenset({"OR", "||"})
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"


@dataclass(frozen=True, slots=True)
class Signed:
    """Clauses of a query, as texts: words, phrases, ranges, whole groups."""

    wanted: tuple[str, ...]
    """At least one of them, or only for the order where others are required."""
    required: tuple[str, ...]
    unwanted: tuple[str, ...]


def signed(text: str) -> Signed:
    """Take a query that can be parsed apart."""
    clauses: list[list[str]] = []
    joined, negated = False, False
    for part in _parts(text):
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
    return Signed(*(tuple(word for sign, word in clauses if sign == wanted) for wanted in ("", "+", "-")))


def group(clause: str) -> str | None:
    """Return what stands in a group; None where a clause is none."""
    return clause[1:-1] if clause.startswith("(") and clause.endswith(")") and len(_parts(clause)) == 1 else None


def _parts(text: str) -> list[str]:
    """Split at blanks that are in no phrase and no brackets."""
    parts, depth, quoted, position = [""], 0, False, 0
    while position < len(text):
        character = text[position : position + (2 if text[position] == "\\" else 1)]
        position += len(character)
        if character == '"':
            quoted = not quoted
        elif not quoted:
            depth += (character in _OPENING) - (character in _CLOSING)
        if character.isspace() and not quoted and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part.strip("+-!")]
