"""Parses dates as documents write them into ISO 8601."""

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
_OTHER_FORMATS: Final = tuple(
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
    """Return a date or time as ISO 8601, or None. Month comes before day (05/20/2025) if that is a valid date."""
    text = text.strip()[:100]
    if match := _ISO.match(text):
        return _date_or_time(match)
    for pattern in _OTHER_FORMATS:
        if match := pattern.match(text):
            parts = match.groupdict()
            month = _month_number(parts["name"]) if "name" in parts else int(parts["month"])
            if day := _valid_date(int(parts["year"]), month, int(parts["day"])):
                return day
    return None


def _month_number(name: str) -> int:
    """Return the month of an English name or its abbreviation, or 0."""
    name = name.lower()
    return (
        next((number for number, month in enumerate(_MONTHS, 1) if month.startswith(name)), 0) or (name == "sept") * 9
    )


def _valid_date(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _date_or_time(match: re.Match[str]) -> str | None:
    day = _valid_date(*(int(part) for part in match["day"].split("-")))
    if day is None or match["time"] is None:
        return day
    zone = (match["zone"] or "").upper()
    offset = "+00:00" if zone in {"Z", "UTC", "GMT"} else zone
    try:
        time = datetime.fromisoformat(f"{day}T{match['time'].zfill(5)}{offset}")
        return time.astimezone(UTC).isoformat().replace("+00:00", "Z") if offset else time.isoformat()
    except (ValueError, OverflowError):
        return day
