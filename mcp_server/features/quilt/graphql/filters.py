"""Conditions as GraphQL's predicates: one for each field, all must hold."""

from datetime import datetime
from typing import Any, Final

from indexer.errors import shown
from mcp_server.features.quilt.failures import unsupported
from mcp_server.features.quilt.query.conditions import (
    Alternative,
    Amounts,
    Beginning,
    Condition,
    Moments,
    Numbers,
    Texts,
    Truths,
)
from mcp_server.features.quilt.results import Kind

Predicate = dict[str, Any]
_PRESENT: Final[Predicate] = {"deleted": {"false": True}}
_META_PREDICATES: Final = ("datetime", "number", "text", "keyword", "boolean")


def system_filter(kind: Kind, conditions: tuple[Condition, ...], known: frozenset[str]) -> Predicate | None:
    """Return the filter by what every package or object has; deleted objects are left out where the stack can."""
    given = [condition for condition in conditions if condition.pointer is None]
    for condition in given:
        if condition.field not in known:
            raise _cannot(condition.field)
    predicates = {condition.field: _predicate(condition)[1] for condition in given}
    if kind == "object" and "deleted" in known:
        predicates |= _PRESENT
    return predicates or None


def metadata_filters(conditions: tuple[Condition, ...]) -> list[Predicate] | None:
    """Return the filters by user metadata, each whole: stacks want every predicate named."""
    found = []
    for condition in conditions:
        if condition.pointer is not None:
            name, predicate = _predicate(condition)
            found.append({"path": condition.pointer, **dict.fromkeys(_META_PREDICATES), name: predicate})
    return found or None


def _predicate(condition: Condition) -> tuple[str, Predicate]:
    match condition.any_of:
        case (only,) if not condition.negated:
            return _written(condition.field, only)
        case _:
            raise _cannot(condition.field)


def _written(field: str, alternative: Alternative) -> tuple[str, Predicate]:
    match alternative:
        case Truths(values=truths):
            return "boolean", {"true": True in truths, "false": False in truths}
        case Texts(values=texts):
            return "keyword", {"terms": list(texts)}
        case Amounts(values=(number,)):
            return "number", {"gte": number, "lte": number}
        case Numbers(low=low, high=high):
            return "number", _without_none({"gte": low, "lte": high})
        case Moments(low=low, high=high):
            return "datetime", _without_none({"gte": _iso(low), "lte": _iso(high)})
        case Beginning(text=text):
            return "keyword", {"wildcard": _literal(text) + "*"}
        case Amounts():
            raise _cannot(field)


def _without_none(bounds: Predicate) -> Predicate:
    return {name: bound for name, bound in bounds.items() if bound is not None}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def _literal(text: str) -> str:
    return "".join(f"\\{character}" if character in "*?\\" else character for character in text)


def _cannot(field: str) -> Exception:
    return unsupported(
        f"This catalog cannot filter {shown(field)} like that",
        "Give one value, a list of texts, one range or a prefix; not and several numbers or dates cannot be asked",
    )
