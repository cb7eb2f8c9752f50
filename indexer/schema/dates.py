"""Dates in filters and metadata: ISO 8601, in UTC if there is no time zone."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DATE_LENGTH: Final = 10
_ISO_8601: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?\Z"
)


def moment(text: str) -> datetime | None:
    """Parse an ISO 8601 date; a date without time is the start of the day. None if it is not a date."""
    if not _ISO_8601.match(text):
        return None
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def last_moment(text: str, start: datetime) -> datetime:
    """Return the end of the day for a date without time, else `start`; `start` is the parsed `text`."""
    return start + timedelta(days=1, microseconds=-1) if len(text) == _DATE_LENGTH else start


def to_microseconds(when: datetime) -> int:
    """Return the microseconds since 1970, negative before."""
    return (when - _EPOCH) // timedelta(microseconds=1)


def format_utc(when: datetime, precision: Literal["seconds", "milliseconds"] = "milliseconds") -> str:
    """Write a time in UTC with `Z`; such texts sort by time."""
    return when.isoformat(timespec=precision).replace("+00:00", "Z")


def utc_now() -> str:
    """Return the current time as text."""
    return format_utc(datetime.now(UTC))
