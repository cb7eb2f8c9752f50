"""How one attempt at a request fails, and the delay before the next attempt."""

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from indexer.errors import PlatformError


class AttemptFailed(Exception):
    """One attempt failed. `error` is raised to the caller if no attempt follows; the rest is for the guard."""

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
        """Whether a retry of the same request may succeed."""
        self.upstream_broke = upstream_broke or timed_out
        """Whether the circuit breaker counts it as a failure; a rejected request does not count."""
        self.timed_out = timed_out
        self.wait = wait
        """The seconds of the upstream's Retry-After header."""
        self.status = status
        """The HTTP status, if there was a response, for the log."""
        self.request_id: str | None = None
        """The upstream's own id of the request, if it gave one, for the log."""


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Parse Retry-After, in milliseconds, in seconds or as a date, into seconds."""
    if (milliseconds := _parse_number(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1_000
    text = headers.get("retry-after")
    if text is None:
        return None
    if (seconds := _parse_number(text)) is not None:
        return seconds
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - (now or datetime.now(UTC))).total_seconds())


def backoff_delay(attempt: int, first: float, retry_after_seconds: float | None) -> float:
    """Return the delay after an attempt: Retry-After plus jitter, or else exponential backoff with jitter."""
    if retry_after_seconds is not None:
        return retry_after_seconds + random.uniform(0, first)  # noqa: S311 - jitter, not a secret
    return first * float(2 ** (attempt - 1)) * random.uniform(0.5, 1.5)  # noqa: S311 - as above


def _parse_number(text: str | None) -> float | None:
    stripped = (text or "").strip()
    digits = stripped.replace(".", "", 1)
    return float(stripped) if digits.isascii() and digits.isdecimal() else None
