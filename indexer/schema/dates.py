"""Dates as filters and metadata write them: ISO 8601, UTC where no zone is given."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_LENGTH: Final = 10
_MOMENT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?\Z"
)


def moment(text: str) -> datetime | None:
    """Return the moment that a string names (for a day its start), or None if it is no ISO 8601 date."""
    if not _MOMENT.match(text):
        return None
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def end(text: str, start: datetime) -> datetime:
    """Return the last microsecond that a date string means: of the day, or the moment itself."""
    return start + timedelta(days=1, microseconds=-1) if len(text) == _DAY_LENGTH else start


def microseconds(when: datetime) -> int:
    """Return the microseconds since 1970, negative before."""
    return (when - EPOCH) // timedelta(microseconds=1)
