"""Parses JSON filters into conditions, which must all hold. Errors name the field and what is allowed, never values."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from indexer.errors import Invalid, printable
from indexer.query.ast import AnyValue, Combined, Exists, Nothing, Query, StartsWith, Within
from indexer.schema.dates import last_moment, moment
from indexer.schema.values import Bound, Scalar

_MAX_FILTERS: Final = 32
_MAX_VALUES: Final = 1_000
_MAX_DATES: Final = 256
_MAX_VALUE_LENGTH: Final = 10_000
_MAX_BOUND_LENGTH: Final = 256
_BOUNDS: Final = ("gte", "gt", "lte", "lt")
_ALLOWED: Final = (
    'a string, number or boolean, a list of them, {"gte", "gt", "lte", "lt"}, {"exists": true|false}, '
    '{"not": value or list} or {"prefix": "text"}'
)


def parse_filters(filters: Mapping[str, Any] | None) -> dict[str, Query]:
    """Return the condition of each field."""
    if filters is None:
        return {}
    if len(filters) > _MAX_FILTERS:
        raise Invalid(f"More than {_MAX_FILTERS} filters", action=f"Filter by at most {_MAX_FILTERS} fields")
    conditions = {field: _parse_condition(field, value) for field, value in filters.items() if _check_name(field)}
    if sum(_count_ranges(condition) for condition in conditions.values()) > _MAX_DATES:
        raise Invalid("Too many dates in filters", action=f"List at most {_MAX_DATES} dates, or use ranges")
    return conditions


def _check_name(field: str) -> bool:
    if not _is_encodable(field):
        raise Invalid("A filter's field name is not valid UTF-8", action="Use the names that the index's fields have")
    return True


def _parse_condition(field: str, value: object) -> Query:
    match value:
        case {"exists": bool(exists), **rest} if not rest:
            return Exists(field) if exists else Combined(must_not=(Exists(field),))
        case {"not": excluded, **rest} if not rest and not isinstance(excluded, Mapping):
            return Combined(must_not=(_parse_values(field, excluded),))
        case {"prefix": str(text), **rest} if not rest:
            return StartsWith(field, _check_length(field, text))
        case {**bounds} if bounds and all(name in _BOUNDS for name in bounds):
            return _parse_range(field, {str(name): bound for name, bound in bounds.items()})
        case {**_unknown}:
            raise _wrong_shape_error(field)
        case _:
            return _parse_values(field, value)


def _parse_values(field: str, value: object) -> Query:
    """Return the condition that the field has this value, or one of this list. A date without time means the day."""
    values: Sequence[object] = value if isinstance(value, list | tuple) else (value,)
    if not 1 <= len(values) <= _MAX_VALUES:
        raise Invalid(
            f"The filter on {printable(field)} lists no value, or too many",
            action=f"List 1 to {_MAX_VALUES} values",
        )
    scalars = [_parse_scalar(field, each) for each in values]
    ranges = [_date_range(field, scalar) for scalar in scalars]
    plain = tuple(scalar for scalar, date_range in zip(scalars, ranges, strict=True) if date_range is None)
    alternatives: list[Query] = [AnyValue(field, plain)] if plain else []
    alternatives += [date_range for date_range in ranges if date_range is not None]
    return alternatives[0] if len(alternatives) == 1 else Combined(any_of=tuple(alternatives))


def _date_range(field: str, value: Scalar) -> Within | None:
    start = moment(value) if isinstance(value, str) else None
    return None if start is None else Within(field, gte=start, lte=last_moment(str(value), start))


def _parse_scalar(field: str, value: object) -> Scalar:
    match value:
        case bool():
            return value
        case str() if len(value) <= _MAX_VALUE_LENGTH and _is_encodable(value):
            return value
        case int() | float() if (number := _finite_number(value)) is not None:
            return number
        case None:
            raise Invalid(
                f"The filter on {printable(field)} has a null",
                action='Use {"exists": false} for documents without the field',
            )
        case _:
            raise _wrong_shape_error(field)


def _finite_number(value: float) -> float | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _parse_range(field: str, bounds: Mapping[str, object]) -> Query:
    """Return the range; `Nothing` if its bounds cross. A date without time becomes the start or end of the day."""
    scalars = {name: _parse_scalar(field, value) for name, value in bounds.items()}
    if any(isinstance(value, bool) for value in scalars.values()):
        raise _mixed_types_error(field)
    dates = {name: _date_bound(name, value) for name, value in scalars.items()}
    if all(isinstance(value, datetime) for value in dates.values()):
        return _nothing_if_crossed(Within(field, **dates))
    if any(isinstance(value, datetime) for value in dates.values()) or len({type(v) for v in scalars.values()}) > 1:
        raise _mixed_types_error(field)
    plain: dict[str, Bound] = {
        name: _check_length(field, value) if isinstance(value, str) else value for name, value in scalars.items()
    }
    return _nothing_if_crossed(Within(field, **plain))


def _date_bound(name: str, value: Scalar) -> Bound | None:
    start = moment(value) if isinstance(value, str) else None
    if start is None:
        return None
    return last_moment(str(value), start) if name in {"gt", "lte"} else start


def _nothing_if_crossed(node: Within) -> Query:
    lower = [bound for bound in (node.gte, node.gt) if bound is not None]
    upper = [bound for bound in (node.lte, node.lt) if bound is not None]
    crossed = any(low > high for low in lower for high in upper)  # type: ignore[operator]  # all of one type
    return Nothing() if crossed else node


def _check_length(field: str, text: str) -> str:
    if not 1 <= len(text) <= _MAX_BOUND_LENGTH or not _is_encodable(text):
        raise Invalid(
            f"The filter on {printable(field)} has a text that is empty, too long or not valid UTF-8",
            action=f"Give 1 to {_MAX_BOUND_LENGTH} characters",
        )
    return text


def _count_ranges(condition: Query) -> int:
    match condition:
        case Combined(any_of=alternatives, must_not=excluded):
            return sum(_count_ranges(each) for each in (*alternatives, *excluded))
        case Within():
            return 1
        case _:
            return 0


def _is_encodable(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _mixed_types_error(field: str) -> Invalid:
    return Invalid(
        f"The range on {printable(field)} must have bounds of one type",
        action="Use numbers only, strings only, or ISO 8601 dates only (2025-05-20 or 2025-05-20T10:00:00Z)",
    )


def _wrong_shape_error(field: str) -> Invalid:
    return Invalid(f"The filter on {printable(field)} has a wrong shape", action=f"Use {_ALLOWED}")
