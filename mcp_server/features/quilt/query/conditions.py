"""Filters as the catalog's two searches can be asked them: inclusive ranges, values, beginnings of text."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from indexer.errors import closest, shown
from indexer.query.ast import AnyValue, Combined, Query, StartsWith, Within
from indexer.query.filters import parse_filters
from mcp_server.features.quilt.arguments import Scope
from mcp_server.features.quilt.failures import invalid, unsupported
from mcp_server.features.quilt.results import Kind

META: Final = "meta."
_FIELDS: Final = ("ext", "size", "modified", "meta.<key>")
_MILLISECOND: Final = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Texts:
    """One of these texts, whole and with case."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Amounts:
    """One of these numbers."""

    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Truths:
    """One of these truth values."""

    values: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Numbers:
    """A number from here to there, both included."""

    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Moments:
    """A moment from here to there, both included, in whole milliseconds of UTC."""

    low: datetime | None
    high: datetime | None


@dataclass(frozen=True, slots=True)
class Beginning:
    """A text that starts so."""

    text: str


Alternative = Texts | Amounts | Truths | Numbers | Moments | Beginning


@dataclass(frozen=True, slots=True)
class Condition:
    """A field has one of these, or has none of them."""

    field: str
    any_of: tuple[Alternative, ...]
    negated: bool = False

    @property
    def pointer(self) -> str | None:
        """Return the JSON pointer of a key of user metadata; None for other fields."""
        if not self.field.startswith(META):
            return None
        key = self.field.removeprefix(META)
        if key.startswith("/"):
            return key
        return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in key.split("."))


def conditions_of(filters: Mapping[str, Any] | None, scope: Scope) -> dict[Kind, tuple[Condition, ...]]:
    """Return the conditions for each kind of result that can fulfil them; unknown fields are failures."""
    conditions = [_condition(field, node) for field, node in parse_filters(filters).items() if _is_known(field)]
    wanted: tuple[Kind, ...] = ("package", "object") if scope == "all" else (scope,)
    possible = {
        kind: tuple(c for c in conditions if not _is_given(kind, c)) for kind in wanted if _can(kind, conditions)
    }
    if not possible:
        raise invalid(
            "No package has ext, and no object has user metadata",
            "Filter packages by size, modified and meta.<key>, objects by ext, size and modified",
        )
    return possible


def _can(kind: Kind, conditions: list[Condition]) -> bool:
    return all(condition.negated or not _is_foreign(kind, condition) for condition in conditions)


def _is_given(kind: Kind, condition: Condition) -> bool:
    """Say whether a condition holds anyway: what a result does not have is none of the unwanted."""
    return condition.negated and _is_foreign(kind, condition)


def _is_foreign(kind: Kind, condition: Condition) -> bool:
    return condition.field == "ext" if kind == "package" else condition.field.startswith(META)


def _is_known(field: str) -> bool:
    if field in _FIELDS[:3] or (field.startswith(META) and field != META):
        return True
    near = closest(field, _FIELDS) or [f"{META}{shown(field)}"]
    raise invalid(
        f"Unknown filter: {shown(field)}",
        f"Filter by {', '.join(_FIELDS)}",
        {"closest": near, "cause": "The catalog has no such field"},
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
        case StartsWith(text=text) if field == "ext" or field.startswith(META):
            return Condition(field, (Beginning(_extension(text) if field == "ext" else text),))
        case StartsWith():
            raise _wrong(field)
        case _:
            raise unsupported(
                f"The filter on {shown(field)} is an empty range, or asks whether the field exists",
                "Give a value, a list of values, a range that holds something, or a prefix",
            )


def _values(field: str, values: tuple[Any, ...]) -> list[Alternative]:
    texts = tuple(value for value in values if isinstance(value, str))
    truths = tuple(value for value in values if isinstance(value, bool))
    numbers = tuple(float(v) for v in values if not isinstance(v, str | bool))
    allowed = {"ext": bool(texts), "size": bool(numbers), "modified": False}.get(field, True)
    if not allowed or sum(map(bool, (texts, truths, numbers))) > 1:
        raise _wrong(field)
    if texts:
        return [Texts(tuple(_extension(text) for text in texts) if field == "ext" else texts)]
    return [Truths(truths) if truths else Amounts(numbers)]


def _range(field: str, node: Within) -> Numbers | Moments:
    bounds = [bound for bound in (node.gte, node.gt, node.lte, node.lt) if bound is not None]
    if all(isinstance(bound, datetime) for bound in bounds) and field not in {"size", "ext"}:
        return _moments(node)
    if all(isinstance(bound, float) for bound in bounds) and field not in {"modified", "ext"}:
        return _whole_numbers(node) if field == "size" else _numbers(node)
    raise _wrong(field)


def _numbers(node: Within) -> Numbers:
    lows = [float(node.gte)] if isinstance(node.gte, float) else []
    highs = [float(node.lte)] if isinstance(node.lte, float) else []
    lows += [math.nextafter(node.gt, math.inf)] if isinstance(node.gt, float) else []
    highs += [math.nextafter(node.lt, -math.inf)] if isinstance(node.lt, float) else []
    return Numbers(max(lows, default=None), min(highs, default=None))


def _whole_numbers(node: Within) -> Numbers:
    lows = [float(math.ceil(node.gte))] if isinstance(node.gte, float) else []
    highs = [float(math.floor(node.lte))] if isinstance(node.lte, float) else []
    lows += [float(math.floor(node.gt) + 1)] if isinstance(node.gt, float) else []
    highs += [float(math.ceil(node.lt) - 1)] if isinstance(node.lt, float) else []
    return Numbers(max(lows, default=None), min(highs, default=None))


def _moments(node: Within) -> Moments:
    lows = [_up(node.gte)] if isinstance(node.gte, datetime) else []
    highs = [_down(node.lte)] if isinstance(node.lte, datetime) else []
    lows += [_down(node.gt) + _MILLISECOND] if isinstance(node.gt, datetime) else []
    highs += [_up(node.lt) - _MILLISECOND] if isinstance(node.lt, datetime) else []
    return Moments(max(lows, default=None), min(highs, default=None))


def _down(moment: datetime) -> datetime:
    utc = moment.astimezone(UTC)
    return utc.replace(microsecond=utc.microsecond // 1_000 * 1_000)


def _up(moment: datetime) -> datetime:
    floor = _down(moment)
    return floor if floor == moment else floor + _MILLISECOND


def _extension(text: str) -> str:
    return (text if text.startswith(".") else f".{text}").lower()


def _wrong(field: str) -> Exception:
    wanted = {
        "ext": "extensions, like csv or .csv",
        "size": "numbers of bytes",
        "modified": "ISO 8601 dates",
    }.get(field, "values of one type: texts, numbers, dates or truth values; a range takes numbers or dates")
    return invalid(f"The filter on {shown(field)} takes {wanted}", f"Give {shown(field)} {wanted}")
