"""How one request to an upstream can fail, and how long to wait before the next."""

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from indexer.errors import PlatformError


class AttemptFailed(Exception):
    """One request failed: with what the caller is told if it was the last, and with what the guard needs to know."""

    def __init__(
        self,
        error: PlatformError,
        *,
        retry: bool = False,
        upstream_broke: bool = False,
        timed_out: bool = False,
        wait: float | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(type(error).__name__)
        self.error = error
        self.retry = retry
        """Whether the same request may work a little later."""
        self.upstream_broke = upstream_broke or timed_out
        """Whether it counts against the upstream; a refused question does not."""
        self.timed_out = timed_out
        self.wait = wait
        """How long the upstream asked to wait."""
        self.status = status
        """What it answered with, where it did, for the log."""


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Read how long an upstream asks to wait: milliseconds, seconds, or a date."""
    if (milliseconds := _number(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1_000
    text = headers.get("retry-after")
    if text is None:
        return None
    if (seconds := _number(text)) is not None:
        return seconds
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - (now or datetime.now(UTC))).total_seconds())


def next_wait(attempt: int, first: float, asked: float | None) -> float:
    """Return how long to wait after this attempt: what was asked for and a little more, else ever longer, by chance."""
    if asked is not None:
        return asked + random.uniform(0, first)  # noqa: S311 - spreads callers, keeps no secret
    return first * float(2 ** (attempt - 1)) * random.uniform(0.5, 1.5)  # noqa: S311 - as above


def _number(text: str | None) -> float | None:
    stripped = (text or "").strip()
    digits = stripped.replace(".", "", 1)
    return float(stripped) if digits.isascii() and digits.isdecimal() else None
