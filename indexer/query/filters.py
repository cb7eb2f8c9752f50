"""From JSON filters to conditions: all must hold. Failures name the field and what is allowed, never the value."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from indexer.errors import Invalid, shown
from indexer.query.ast import AnyValue, Combined, Exists, Nothing, Query, StartsWith, Within
from indexer.schema.dates import end, moment
from indexer.schema.values import Scalar

MOST_FILTERS: Final = 32
MOST_VALUES: Final = 1_000
MOST_DATES: Final = 256
LONGEST_VALUE: Final = 10_000
LONGEST_BOUND: Final = 256
_BOUNDS: Final = ("gte", "gt", "lte", "lt")
_ALLOWED: Final = (
    'a string, number or boolean, a list of them, {"gte", "gt", "lte", "lt"}, {"exists": true|false}, '
    '{"not": value or list} or {"prefix": "text"}'
)
Bound = float | str | datetime


def parse_filters(filters: Mapping[str, Any] | None) -> dict[str, Query]:
    """Return the condition of each field."""
    if filters is None:
        return {}
    if len(filters) > MOST_FILTERS:
        raise Invalid(f"More than {MOST_FILTERS} filters", action=f"Filter by at most {MOST_FILTERS} fields")
    conditions = {field: _condition(field, given) for field, given in filters.items() if _check_name(field)}
    if sum(_dates(condition) for condition in conditions.values()) > MOST_DATES:
        raise Invalid("Too many dates in filters", action=f"List at most {MOST_DATES} dates, or use ranges")
    return conditions


def _check_name(field: str) -> bool:
    if not _encodable(field):
        raise Invalid("A filter's field name is not valid UTF-8", action="Use the names that the index's fields have")
    return True


def _condition(field: str, given: object) -> Query:
    match given:
        case {"exists": bool(wanted), **rest} if not rest:
            return Exists(field) if wanted else Combined(must_not=(Exists(field),))
        case {"not": unwanted, **rest} if not rest and not isinstance(unwanted, Mapping):
            return Combined(must_not=(_any_of(field, unwanted),))
        case {"prefix": str(text), **rest} if not rest:
            return StartsWith(field, _short(field, text))
        case {**bounds} if bounds and all(name in _BOUNDS for name in bounds):
            return _within(field, {str(name): value for name, value in bounds.items()})
        case {**_unknown}:
            raise _wrong(field)
        case _:
            return _any_of(field, given)


def _any_of(field: str, given: object) -> Query:
    """Return what holds where the field has this value, or one of these; a date means its moment or its whole day."""
    values: Sequence[object] = given if isinstance(given, list | tuple) else (given,)
    if not 1 <= len(values) <= MOST_VALUES:
        raise Invalid(
            f"The filter on {shown(field)} lists no value, or too many",
            action=f"List 1 to {MOST_VALUES} values",
        )
    scalars = [_scalar(field, value) for value in values]
    spans = [_span(field, value) for value in scalars]
    plain = tuple(value for value, span in zip(scalars, spans, strict=True) if span is None)
    alternatives: list[Query] = [AnyValue(field, plain)] if plain else []
    alternatives += [span for span in spans if span is not None]
    return alternatives[0] if len(alternatives) == 1 else Combined(any_of=tuple(alternatives))


def _span(field: str, value: Scalar) -> Within | None:
    start = moment(value) if isinstance(value, str) else None
    return None if start is None else Within(field, gte=start, lte=end(str(value), start))


def _scalar(field: str, value: object) -> Scalar:
    match value:
        case bool():
            return value
        case str() if len(value) <= LONGEST_VALUE and _encodable(value):
            return value
        case int() | float() if (number := _number(value)) is not None:
            return number
        case None:
            raise Invalid(
                f"The filter on {shown(field)} has a null",
                action='Use {"exists": false} for documents without the field',
            )
        case _:
            raise _wrong(field)


def _number(value: float) -> float | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _within(field: str, bounds: Mapping[str, object]) -> Query:
    """Return the range; bounds by day are moved to the day's start or end, and a range of nothing is `Nothing`."""
    scalars = {name: _scalar(field, value) for name, value in bounds.items()}
    if any(isinstance(value, bool) for value in scalars.values()):
        raise _mixed(field)
    dated = {name: _moved(name, value) for name, value in scalars.items()}
    if all(isinstance(value, datetime) for value in dated.values()):
        return _ordered(Within(field, **dated))
    if any(isinstance(value, datetime) for value in dated.values()) or len({type(v) for v in scalars.values()}) > 1:
        raise _mixed(field)
    plain: dict[str, Bound] = {
        name: _short(field, value) if isinstance(value, str) else value for name, value in scalars.items()
    }
    return _ordered(Within(field, **plain))


def _moved(name: str, value: Scalar) -> Bound | None:
    start = moment(value) if isinstance(value, str) else None
    if start is None:
        return None
    return end(str(value), start) if name in {"gt", "lte"} else start


def _ordered(node: Within) -> Query:
    lower = [bound for bound in (node.gte, node.gt) if bound is not None]
    upper = [bound for bound in (node.lte, node.lt) if bound is not None]
    crossed = any(low > high for low in lower for high in upper)  # type: ignore[operator]  # all of one type
    return Nothing() if crossed else node


def _short(field: str, text: str) -> str:
    if not 1 <= len(text) <= LONGEST_BOUND or not _encodable(text):
        raise Invalid(
            f"The filter on {shown(field)} has a text that is empty, too long or not valid UTF-8",
            action=f"Give 1 to {LONGEST_BOUND} characters",
        )
    return text


def _dates(condition: Query) -> int:
    match condition:
        case Combined(any_of=alternatives, must_not=unwanted):
            return sum(_dates(each) for each in (*alternatives, *unwanted))
        case Within():
            return 1
        case _:
            return 0


def _encodable(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _mixed(field: str) -> Invalid:
    return Invalid(
        f"The range on {shown(field)} must have bounds of one type",
        action="Use numbers only, strings only, or ISO 8601 dates only (2025-05-20 or 2025-05-20T10:00:00Z)",
    )


def _wrong(field: str) -> Invalid:
    return Invalid(f"The filter on {shown(field)} has a wrong shape", action=f"Use {_ALLOWED}")
