"""Writes a query of the local syntax as a Lucene query; words are escaped."""

from collections.abc import Sequence
from typing import Final

from indexer.query.parse_text import Clause
from mcp_server.lucene.escaping import escaped, quoted

_MATCH_ALL: Final = "*:*"
_MIN_PREFIX_LENGTH: Final = 2


def lucene(clauses: Sequence[Clause]) -> str:
    """Write clauses as a Lucene query that does not depend on the service's default operator."""
    words = [clause for clause in clauses if any(character.isalnum() for character in clause.text)]
    must = [
        _write_clause(clause) for clause in words if clause.sign == "+" or (not clause.sign and clause.kind == "phrase")
    ]
    should = [_write_clause(clause) for clause in words if not clause.sign and clause.kind != "phrase"]
    must_not = [f"NOT {_write_clause(clause)}" for clause in words if clause.sign == "-"]
    if must and should:
        # Beside required clauses, optional ones only affect the score, so `*:*` makes their group match always.
        must.append(_any_of([_MATCH_ALL, *should]))
    required = must or [_any_of(should) if should else _MATCH_ALL]
    return " AND ".join([*required, *must_not])


def _write_clause(clause: Clause) -> str:
    if clause.kind == "prefix" and len(clause.text) >= _MIN_PREFIX_LENGTH:
        return f"{escaped(clause.text)}*"
    return quoted(clause.text)


def _any_of(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})"
