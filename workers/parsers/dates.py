"""Dates as documents write them, made into ISO 8601; what cannot be understood is no date."""

import re
from datetime import UTC, date, datetime
from typing import Final

_MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_ISO: Final = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2})"
    r"(?:[T ]+(?P<time>[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)(?:[.,][0-9]+)?"
    r"\s*(?P<zone>Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2})?)?\Z",
    re.IGNORECASE,
)
_YEAR, _MONTH, _DAY = "(?P<year>[0-9]{4})", "(?P<month>[0-9]{1,2})", "(?P<day>[0-9]{1,2})"
_NAME, _NTH = r"(?P<name>[a-z]{3,9})\.?", rf"{_DAY}(?:st|nd|rd|th)?"
_OTHERS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_YEAR}[/.]{_MONTH}[/.]{_DAY}\b",
        r"(?:D:)?(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})(?![0-9]{1,3}\Z)",
        rf"{_MONTH}[/-]{_DAY}[/-]{_YEAR}\b",
        rf"{_DAY}[/-]{_MONTH}[/-]{_YEAR}\b",
        rf"{_DAY}\.\s?{_MONTH}\.\s?{_YEAR}\b",
        rf"{_NAME}\s+{_NTH},?\s+{_YEAR}\b",
        rf"(?:[a-z]{{3,9}},?\s+)?{_NTH}[\s-]+{_NAME},?[\s-]+{_YEAR}\b",
    )
)


def iso_date(text: str) -> str | None:
    """Return the date or moment as ISO 8601; 05/20/2025 is read month first, unless that cannot be."""
    text = text.strip()[:100]
    if found := _ISO.match(text):
        return _moment(found)
    for pattern in _OTHERS:
        if found := pattern.match(text):
            parts = found.groupdict()
            month = _month(parts["name"]) if "name" in parts else int(parts["month"])
            if day := _day(int(parts["year"]), month, int(parts["day"])):
                return day
    return None


def _month(name: str) -> int:
    """Return the month that an English name or its beginning means, or 0."""
    name = name.lower()
    return (
        next((number for number, month in enumerate(_MONTHS, 1) if month.startswith(name)), 0) or (name == "sept") * 9
    )


def _day(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _moment(found: re.Match[str]) -> str | None:
    day = _day(*(int(part) for part in found["day"].split("-")))
    if day is None or found["time"] is None:
        return day
    zone = (found["zone"] or "").upper()
    shift = "+00:00" if zone in {"Z", "UTC", "GMT"} else zone
    try:
        when = datetime.fromisoformat(f"{day}T{found['time'].zfill(5)}{shift}")
        return when.astimezone(UTC).isoformat().replace("+00:00", "Z") if shift else when.isoformat()
    except (ValueError, OverflowError):
        return day
