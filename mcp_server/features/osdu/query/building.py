"""Builds Lucene queries from conditions; values are escaped, so none of them can change the query."""

import math
from collections.abc import Callable
from typing import Any, Final

from indexer.errors import Invalid
from mcp_server.features.osdu.arguments import BuildQuery, Clause
from mcp_server.features.osdu.query.checks import check_query
from mcp_server.features.osdu.results import BuildResult
from mcp_server.lucene.escaping import escaped, quoted

_WILDCARDS: Final = frozenset("*?")
_SCALARS: Final = (str, int, float, bool)
_KEYWORD_SUFFIXES: Final = (".keyword", ".keywordLower")


def id_query(record_id: str) -> str:
    """Return the query for an id; `*` and `?` in it are wildcards."""
    if not record_id.strip():
        raise Invalid("The id is blank", action="Give a record's id, like opendes:master-data--Well:123")
    if _WILDCARDS.isdisjoint(record_id):
        return f"id:({quoted(record_id)})"
    return f"id:({escaped(record_id, _WILDCARDS)})"


def build_query(arguments: BuildQuery) -> BuildResult:
    """Combine all conditions into one query."""
    parts = [_BUILDERS[clause.op](_field(clause), clause) + _boost(clause) for clause in arguments.clauses]
    query = f" {arguments.combine.upper()} ".join(parts)
    check_query(query)
    return BuildResult(success=True, query=query)


def _equal(field: str, clause: Clause) -> str:
    return f"{field}:{_value(clause, clause.value)}"


def _not_equal(field: str, clause: Clause) -> str:
    return f"(*:* AND NOT {field}:{_value(clause, clause.value)})"


def _any_of(field: str, clause: Clause) -> str:
    if not isinstance(clause.value, list) or not clause.value:
        raise _invalid_value(clause, "a list of values")
    return f"{field}:({' OR '.join(_value(clause, value) for value in clause.value)})"


def _at_least(field: str, clause: Clause) -> str:
    return f"{field}:[{_bound(clause, clause.value)} TO *]"


def _at_most(field: str, clause: Clause) -> str:
    return f"{field}:[* TO {_bound(clause, clause.value)}]"


def _between(field: str, clause: Clause) -> str:
    match clause.value:
        case [low, high]:
            return f"{field}:[{_bound(clause, low)} TO {_bound(clause, high)}]"
        case _:
            raise _invalid_value(clause, "a list of two values, the low and the high one")


def _prefix(field: str, clause: Clause) -> str:
    return f"{field}:{escaped(_text(clause))}*"


def _contains(field: str, clause: Clause) -> str:
    text = _text(clause)
    # A term of an analysed field contains no whitespace, so several words are searched as a phrase.
    if any(character.isspace() for character in text) and not clause.field.endswith(_KEYWORD_SUFFIXES):
        return f"{field}:{quoted(text)}"
    return f"{field}:*{escaped(text)}*"


def _exists(field: str, clause: Clause) -> str:
    if clause.value is not None and not isinstance(clause.value, bool):
        raise _invalid_value(clause, "true, false or no value")
    return f"(*:* AND NOT _exists_:{field})" if clause.value is False else f"_exists_:{field}"


_BUILDERS: Final[dict[str, Callable[[str, Clause], str]]] = {
    "eq": _equal,
    "ne": _not_equal,
    "in": _any_of,
    "gte": _at_least,
    "lte": _at_most,
    "between": _between,
    "prefix": _prefix,
    "contains": _contains,
    "exists": _exists,
}


def _boost(clause: Clause) -> str:
    # Lucene's boosts have no exponent, and the format writes none within the limits of the argument.
    return "" if clause.boost is None else f"^{clause.boost:g}"


def _field(clause: Clause) -> str:
    if not clause.field.strip() or not _WILDCARDS.isdisjoint(clause.field):
        raise Invalid("A field must be a name", action="Give each field's path, like data.FacilityName, without * or ?")
    return escaped(clause.field)


def _text(clause: Clause) -> str:
    if not isinstance(clause.value, str) or not clause.value.strip():
        raise _invalid_value(clause, "a text")
    return clause.value


def _value(clause: Clause, value: Any) -> str:
    match _scalar(clause, value):
        case bool() as flag:
            return str(flag).lower()
        case str() as text:
            return quoted(text)
        case number:
            return repr(number) if number >= 0 else quoted(repr(number))


def _bound(clause: Clause, value: Any) -> str:
    match _scalar(clause, value):
        case bool() | "":
            raise _invalid_value(clause, "numbers, dates or texts")
        case str() as text:
            # Lucene's range lexer does not unescape backslash pairs, so backslashes and quotes become code points.
            safe = text.replace("\\", "\\u005c").replace('"', "\\u0022")
            return f'"{safe}"'
        case number:
            return repr(number)


def _scalar(clause: Clause, value: Any) -> str | float | bool:
    if not isinstance(value, _SCALARS) or (isinstance(value, float) and not math.isfinite(value)):
        raise _invalid_value(clause, "a text, a number or a truth value")
    return value


def _invalid_value(clause: Clause, expected: str) -> Invalid:
    return Invalid(f"The value for {clause.op} must be {expected}", action=f"Give {clause.op} {expected}")
