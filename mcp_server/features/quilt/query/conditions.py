"""Parses filters into conditions that both backends support: values, inclusive ranges and prefixes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from indexer.errors import closest, printable
from indexer.query.ast import AnyValue, Combined, Query, StartsWith, Within
from indexer.query.filters import parse_filters
from indexer.schema.dates import format_utc
from mcp_server.features.quilt.arguments import Scope
from mcp_server.features.quilt.failures import invalid, unsupported
from mcp_server.features.quilt.results import Kind

METADATA_PREFIX: Final = "meta."
_FIELDS: Final = ("ext", "size", "modified", "meta.<key>")
_MILLISECOND: Final = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class TextValues:
    """Equal to one of these texts, case-sensitive."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NumberValues:
    """Equal to one of these numbers."""

    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BooleanValues:
    """Equal to one of these booleans."""

    values: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class NumberRange:
    """A range of numbers; both bounds are inclusive."""

    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class DateRange:
    """A range of timestamps in whole milliseconds of UTC; both bounds are inclusive."""

    low: datetime | None
    high: datetime | None


@dataclass(frozen=True, slots=True)
class Prefix:
    """Begins with this text."""

    text: str


Alternative = TextValues | NumberValues | BooleanValues | NumberRange | DateRange | Prefix


@dataclass(frozen=True, slots=True)
class Condition:
    """A field matches at least one of these alternatives, or none of them if negated."""

    field: str
    any_of: tuple[Alternative, ...]
    negated: bool = False

    @property
    def pointer(self) -> str | None:
        """The JSON pointer of a key of user metadata; None for other fields."""
        if not self.field.startswith(METADATA_PREFIX):
            return None
        key = self.field.removeprefix(METADATA_PREFIX)
        if key.startswith("/"):
            return key
        return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in key.split("."))


def parse_conditions(filters: Mapping[str, Any] | None, scope: Scope) -> dict[Kind, tuple[Condition, ...]]:
    """Return the conditions for each kind of result that can match them; an unknown field raises `Invalid`."""
    conditions = [_condition(field, node) for field, node in parse_filters(filters).items() if _is_known_field(field)]
    requested: tuple[Kind, ...] = ("package", "object") if scope == "all" else (scope,)
    by_kind = {
        kind: tuple(c for c in conditions if not _always_holds(kind, c))
        for kind in requested
        if _can_match(kind, conditions)
    }
    if not by_kind:
        raise invalid(
            "No package has ext, and no object has user metadata",
            "Filter packages by size, modified and meta.<key>, objects by ext, size and modified",
        )
    return by_kind


def _can_match(kind: Kind, conditions: list[Condition]) -> bool:
    return all(condition.negated or not _lacks_field(kind, condition) for condition in conditions)


def _always_holds(kind: Kind, condition: Condition) -> bool:
    """Return whether the condition excludes values of a field that this kind does not have."""
    return condition.negated and _lacks_field(kind, condition)


def _lacks_field(kind: Kind, condition: Condition) -> bool:
    return condition.field == "ext" if kind == "package" else condition.field.startswith(METADATA_PREFIX)


def _is_known_field(field: str) -> bool:
    if field in _FIELDS[:3] or (field.startswith(METADATA_PREFIX) and field != METADATA_PREFIX):
        return True
    suggestions = closest(field, _FIELDS) or [f"{METADATA_PREFIX}{printable(field)}"]
    raise invalid(
        f"Unknown filter: {printable(field)}",
        f"Filter by {', '.join(_FIELDS)}",
        {"closest": suggestions, "cause": "The catalog has no such field"},
    )


def _condition(field: str, node: Query) -> Condition:
    match node:
        case Combined(must_not=(unwanted,)):
            return Condition(field, _condition(field, unwanted).any_of, negated=True)
        case Combined(any_of=alternatives) if alternatives:
            parts = [_condition(field, each) for each in alternatives]
            return Condition(field, tuple(each for part in parts for each in part.any_of))
        case AnyValue(values=values):
            return Condition(field, tuple(_values(field, values)))
        case Within():
            return Condition(field, (_range(field, node),))
        case StartsWith(text=text) if field == "ext" or field.startswith(METADATA_PREFIX):
            return Condition(field, (Prefix(_normalize_extension(text) if field == "ext" else text),))
        case StartsWith():
            raise _invalid_filter(field)
        case _:
            raise unsupported(
                f"The filter on {printable(field)} is an empty range, or asks whether the field exists",
                "Give a value, a list of values, a range that holds something, or a prefix",
            )


def _values(field: str, values: tuple[Any, ...]) -> list[Alternative]:
    texts = tuple(value for value in values if isinstance(value, str))
    booleans = tuple(value for value in values if isinstance(value, bool))
    numbers = tuple(float(v) for v in values if not isinstance(v, str | bool))
    allowed = {"ext": bool(texts), "size": bool(numbers), "modified": False}.get(field, True)
    if not allowed or sum(map(bool, (texts, booleans, numbers))) > 1:
        raise _invalid_filter(field)
    if texts:
        return [TextValues(tuple(_normalize_extension(text) for text in texts) if field == "ext" else texts)]
    return [BooleanValues(booleans) if booleans else NumberValues(numbers)]


def _range(field: str, node: Within) -> NumberRange | DateRange:
    bounds = [bound for bound in (node.gte, node.gt, node.lte, node.lt) if bound is not None]
    if all(isinstance(bound, datetime) for bound in bounds) and field not in {"size", "ext"}:
        return _date_range(node)
    if all(isinstance(bound, float) for bound in bounds) and field not in {"modified", "ext"}:
        return _integer_range(node) if field == "size" else _number_range(node)
    raise _invalid_filter(field)


def _number_range(node: Within) -> NumberRange:
    lows = [float(node.gte)] if isinstance(node.gte, float) else []
    highs = [float(node.lte)] if isinstance(node.lte, float) else []
    lows += [math.nextafter(node.gt, math.inf)] if isinstance(node.gt, float) else []
    highs += [math.nextafter(node.lt, -math.inf)] if isinstance(node.lt, float) else []
    return NumberRange(max(lows, default=None), min(highs, default=None))


def _integer_range(node: Within) -> NumberRange:
    lows = [float(math.ceil(node.gte))] if isinstance(node.gte, float) else []
    highs = [float(math.floor(node.lte))] if isinstance(node.lte, float) else []
    lows += [float(math.floor(node.gt) + 1)] if isinstance(node.gt, float) else []
    highs += [float(math.ceil(node.lt) - 1)] if isinstance(node.lt, float) else []
    return NumberRange(max(lows, default=None), min(highs, default=None))


def _date_range(node: Within) -> DateRange:
    lows = [_ceil_to_millisecond(node.gte)] if isinstance(node.gte, datetime) else []
    highs = [_floor_to_millisecond(node.lte)] if isinstance(node.lte, datetime) else []
    lows += [_floor_to_millisecond(node.gt) + _MILLISECOND] if isinstance(node.gt, datetime) else []
    highs += [_ceil_to_millisecond(node.lt) - _MILLISECOND] if isinstance(node.lt, datetime) else []
    return DateRange(max(lows, default=None), min(highs, default=None))


def _floor_to_millisecond(timestamp: datetime) -> datetime:
    utc = timestamp.astimezone(UTC)
    return utc.replace(microsecond=utc.microsecond // 1_000 * 1_000)


def _ceil_to_millisecond(timestamp: datetime) -> datetime:
    floor = _floor_to_millisecond(timestamp)
    return floor if floor == timestamp else floor + _MILLISECOND


def _normalize_extension(text: str) -> str:
    return (text if text.startswith(".") else f".{text}").lower()


def _invalid_filter(field: str) -> Exception:
    expected = {
        "ext": "extensions, like csv or .csv",
        "size": "numbers of bytes",
        "modified": "ISO 8601 dates",
    }.get(field, "values of one type: texts, numbers, dates or truth values; a range takes numbers or dates")
    return invalid(f"The filter on {printable(field)} takes {expected}", f"Give {printable(field)} {expected}")


def iso_date(timestamp: datetime | None) -> str | None:
    """Write a bound of a range as both searches take it."""
    return None if timestamp is None else format_utc(timestamp)
