"""A query of local syntax in Lucene's: whatever a word holds, it stays a word."""

from collections.abc import Sequence
from typing import Final

from indexer.query.parse_text import Clause
from mcp_server.lucene.escaping import escaped, quoted

_EVERYTHING: Final = "*:*"
_SHORTEST_PREFIX: Final = 2


def lucene(clauses: Sequence[Clause]) -> str:
    """Write clauses so that they mean the same whichever operator the service puts between words by default."""
    words = [clause for clause in clauses if any(character.isalnum() for character in clause.text)]
    must = [_written(clause) for clause in words if clause.sign == "+" or (not clause.sign and clause.kind == "phrase")]
    may = [_written(clause) for clause in words if not clause.sign and clause.kind != "phrase"]
    must_not = [f"NOT {_written(clause)}" for clause in words if clause.sign == "-"]
    if must and may:
        # Beside what must match, the others only rank: one of the alternatives always holds.
        must.append(_any_of([_EVERYTHING, *may]))
    required = must or [_any_of(may) if may else _EVERYTHING]
    return " AND ".join([*required, *must_not])


def _written(clause: Clause) -> str:
    if clause.kind == "prefix" and len(clause.text) >= _SHORTEST_PREFIX:
        return f"{escaped(clause.text)}*"
    return quoted(clause.text)


def _any_of(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})"
