"""Renders conditions as GraphQL predicates, one for each field; all must match."""

from typing import Any, Final

from indexer.errors import printable
from mcp_server.features.quilt.failures import unsupported
from mcp_server.features.quilt.query.conditions import (
    Alternative,
    BooleanValues,
    Condition,
    DateRange,
    NumberRange,
    NumberValues,
    Prefix,
    TextValues,
    iso_date,
)
from mcp_server.features.quilt.results import Kind

Predicate = dict[str, Any]
_NOT_DELETED: Final[Predicate] = {"deleted": {"false": True}}
_META_PREDICATES: Final = ("datetime", "number", "text", "keyword", "boolean")


def system_filter(kind: Kind, conditions: tuple[Condition, ...], filterable: frozenset[str]) -> Predicate | None:
    """Return the filter by system fields; deleted objects are excluded where the stack supports that."""
    system_conditions = [condition for condition in conditions if condition.pointer is None]
    for condition in system_conditions:
        if condition.field not in filterable:
            raise _unsupported_filter(condition.field)
    predicates = {condition.field: _predicate(condition)[1] for condition in system_conditions}
    if kind == "object" and "deleted" in filterable:
        predicates |= _NOT_DELETED
    return predicates or None


def metadata_filters(conditions: tuple[Condition, ...]) -> list[Predicate] | None:
    """Return the filters by user metadata; the schema requires every predicate, so unused ones are null."""
    filters = []
    for condition in conditions:
        if condition.pointer is not None:
            name, predicate = _predicate(condition)
            filters.append({"path": condition.pointer, **dict.fromkeys(_META_PREDICATES), name: predicate})
    return filters or None


def _predicate(condition: Condition) -> tuple[str, Predicate]:
    match condition.any_of:
        case (only,) if not condition.negated:
            return _render_predicate(condition.field, only)
        case _:
            raise _unsupported_filter(condition.field)


def _render_predicate(field: str, alternative: Alternative) -> tuple[str, Predicate]:
    match alternative:
        case BooleanValues(values=booleans):
            return "boolean", {"true": True in booleans, "false": False in booleans}
        case TextValues(values=texts):
            return "keyword", {"terms": list(texts)}
        case NumberValues(values=(number,)):
            return "number", {"gte": number, "lte": number}
        case NumberRange(low=low, high=high):
            return "number", _without_none({"gte": low, "lte": high})
        case DateRange(low=low, high=high):
            return "datetime", _without_none({"gte": iso_date(low), "lte": iso_date(high)})
        case Prefix(text=text):
            return "keyword", {"wildcard": _escape_wildcards(text) + "*"}
        case NumberValues():
            raise _unsupported_filter(field)


def _without_none(bounds: Predicate) -> Predicate:
    return {name: bound for name, bound in bounds.items() if bound is not None}


def _escape_wildcards(text: str) -> str:
    return "".join(f"\\{character}" if character in "*?\\" else character for character in text)


def _unsupported_filter(field: str) -> Exception:
    return unsupported(
        f"This catalog cannot filter {printable(field)} like that",
        "Give one value, a list of texts, one range or a prefix; not and several numbers or dates cannot be asked",
    )
