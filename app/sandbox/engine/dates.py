"""Dates as Elasticsearch reads them: ISO 8601 of any precision, milliseconds since 1970, and date math."""

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_ISO: Final = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)(?:T(?:(?P<hour>\d\d)(?::(?P<minute>\d\d)(?::(?P<second>\d\d)"
    r"(?:[.,](?P<fraction>\d{1,9}))?)?)?)?(?P<zone>Z|[+-]\d\d:?\d\d)?)?)?)?\Z"
)
_MATH: Final = re.compile(r"(?P<anchor>now|.+?\|\||)(?P<steps>(?:[+-]\d+[yMwdhHms]|/[yMwdhHms])*)\Z")
_STEP: Final = re.compile(r"(?P<sign>[+-])(?P<count>\d+)(?P<unit>\w)|/(?P<round>\w)")
_UNITS: Final = {"w": "weeks", "d": "days", "h": "hours", "H": "hours", "m": "minutes", "s": "seconds"}
_PARTS: Final = ("year", "month", "day", "hour", "minute", "second")


def is_date(text: str) -> bool:
    """Whether a new field with this value is a date field; plain numbers are text."""
    return not text.isdigit() and _read_iso(text, round_up=False) is not None


def milliseconds(text: str, *, round_up: bool = False) -> int:
    """Return the milliseconds since 1970; with `round_up` a missing time is the last one of the day.

    A missing month or day is the first one, with `round_up` too. Raises `ValueError` where the text is no date.
    """
    match = _MATH.match(text)
    if match is not None and (match["anchor"] == "now" or match["anchor"].endswith("||")):
        return _to_milliseconds(_calculate(match["anchor"], match["steps"], round_up=round_up))
    when = _read_iso(text, round_up=round_up)
    if when is not None:
        return _to_milliseconds(when)
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    raise ValueError("not a date")


def format_milliseconds(value: int) -> str:
    """Write a date as Elasticsearch does."""
    return (_EPOCH + timedelta(milliseconds=value)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _read_iso(text: str, *, round_up: bool) -> datetime | None:
    match = _ISO.match(text)
    if match is None:
        return None
    given = {name: int(match[name]) for name in _PARTS if match[name] is not None}
    try:
        zone = datetime.fromisoformat(f"2000-01-01T00:00:00{match['zone'] or 'Z'}").tzinfo
        when = datetime(**{"month": 1, "day": 1, **given}, tzinfo=zone)
    except ValueError:
        return None
    if match["fraction"] is not None:
        return when + timedelta(microseconds=int(match["fraction"].ljust(6, "0")[:6]))
    least = list(given)[-1]
    return _last_moment(when, "day" if least in {"year", "month"} else least) if round_up else when


def _calculate(anchor: str, steps: str, *, round_up: bool) -> datetime:
    when = datetime.now(UTC) if anchor == "now" else _read_iso(anchor.removesuffix("||"), round_up=False)
    if when is None:
        raise ValueError("not a date")
    for step in _STEP.finditer(steps):
        if step["round"] is not None:
            when = _round(when, step["round"], round_up=round_up)
        else:
            when = _add(when, int(step["sign"] + step["count"]), step["unit"])
    return when


def _add(when: datetime, count: int, unit: str) -> datetime:
    if unit not in "yM":
        return when + timedelta(**{_UNITS[unit]: count})
    months = when.year * 12 + when.month - 1 + count * (12 if unit == "y" else 1)
    year, month = divmod(months, 12)
    return when.replace(year=year, month=month + 1, day=min(when.day, monthrange(year, month + 1)[1]))


def _round(when: datetime, unit: str, *, round_up: bool) -> datetime:
    if unit == "w":
        monday = _round(when - timedelta(days=when.weekday()), "d", round_up=False)
        return monday + timedelta(weeks=1, milliseconds=-1) if round_up else monday
    part = {"y": "year", "M": "month", "d": "day", "h": "hour", "H": "hour", "m": "minute", "s": "second"}[unit]
    kept = _PARTS[: _PARTS.index(part) + 1]
    start = datetime(**{"month": 1, "day": 1, **{name: getattr(when, name) for name in kept}}, tzinfo=UTC)
    return _last_moment(start, part) if round_up else start


def _last_moment(start: datetime, part: str) -> datetime:
    """Return the last millisecond of the year, month, day, … that begins at `start`."""
    if part in {"year", "month"}:
        return _add(start, 1, "y" if part == "year" else "M") - timedelta(milliseconds=1)
    return start + timedelta(**{f"{part}s": 1}) - timedelta(milliseconds=1)


def _to_milliseconds(when: datetime) -> int:
    return (when - _EPOCH) // timedelta(milliseconds=1)
