"""Counts, times and sizes as people read them."""

from datetime import datetime
from typing import Final

_THOUSAND: Final = 1000.0


def counted(count: int, one: str, several: str) -> str:
    """Return a number with the right form of its noun."""
    return f"{count:,} {one if count == 1 else several}"


def local_time(timestamp: str | None) -> str:
    """Return an ISO 8601 timestamp as a time on the clock of this machine."""
    return datetime.fromisoformat(timestamp).astimezone().strftime("%Y-%m-%d %H:%M") if timestamp else ""


def human_size(size_bytes: int) -> str:
    """Return a number of bytes with three digits at most."""
    size = float(size_bytes)
    for unit in ("B", "kB", "MB", "GB"):
        if size < _THOUSAND:
            return f"{size:.3g} {unit}"
        size /= _THOUSAND
    return f"{size:,.0f} TB"
