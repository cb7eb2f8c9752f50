"""Metrics and log lines of upstream calls: counts, durations and a keyed hash, never what was asked."""

import hashlib
import hmac
import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol
from weakref import WeakValueDictionary

from mcp_server.observability.histogram import Histogram

_log = logging.getLogger(__name__)
_SHOWN: Final = 16
_QUIET: Final = frozenset({"cached", "joined"})
"""Outcomes without a request, logged at debug level."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Details of a call for the log: duration, the upstream's last status, number of results, the upstream's own id."""

    seconds: float
    status: int | None = None
    results: int | None = None
    request_id: str | None = None

    @property
    def fields(self) -> dict[str, int | str]:
        """The known details, by the names of log fields."""
        parts = {
            "duration_ms": round(self.seconds * 1_000),
            "status": self.status,
            "count": self.results,
            "provider_request_id": self.request_id,
        }
        return {name: value for name, value in parts.items() if value is not None}


class Hashes:
    """Keyed hashes: equal inputs get equal names, and nobody can guess an input without the service's key."""

    def __init__(self, key: bytes, purpose: str) -> None:
        self._key = hashlib.sha256(b"trawl upstream\0" + purpose.encode() + b"\0" + key).digest()

    def name(self, *parts: bytes | str) -> str:
        """Return the name of these parts together."""
        digest = hmac.new(self._key, digestmod=hashlib.sha256)
        for part in parts:
            raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
            digest.update(len(raw).to_bytes(8, "big") + raw)
        return digest.hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class UsedToday:
    """What a team has used of its daily budget."""

    since: datetime
    amounts: Mapping[str, int]
    is_shared: bool
    """Whether all processes are counted, and not this one alone."""


class DailyBudget(Protocol):
    """What teams may use of an upstream in a day."""

    @property
    def limits(self) -> Mapping[str, int]:
        """What each team may use, by the amount that is limited."""

    def usage_today(self) -> Mapping[str, Mapping[str, int]]:
        """Return what each team has used of its budget today."""

    async def read(self, team: str) -> UsedToday:
        """Find out what a team has used of its budget today, in all processes if they can be asked."""


class Telemetry:
    """Counts the calls of one upstream by outcome; the log gets the outcome and the hash."""

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        self.outcomes: Counter[str] = Counter()
        """Calls by outcome: ok, cached, joined, or a failure's category."""
        self.requests = 0
        """Requests that went upstream."""
        self.durations = Histogram()
        """How long these took."""
        self.used: dict[str, Counter[str]] = {}
        """Billed amounts by team: calls, tokens, searches."""
        # Weak, because a connection whose settings have changed is replaced.
        self.budgets: WeakValueDictionary[str, DailyBudget] = WeakValueDictionary()
        """The daily budgets by the team that has one alone; that of all other teams is at ""."""

    def request(self, seconds: float) -> None:
        """Count one request."""
        self.requests += 1
        self.durations.observe(seconds)

    def use(self, team: str, amounts: Mapping[str, int]) -> None:
        """Count billed amounts of a team."""
        self.used.setdefault(team, Counter()).update(amounts)

    def call(self, outcome: str, name: str, seen: Seen | None = None) -> None:
        """Count one call."""
        self.outcomes[outcome] += 1
        level = logging.DEBUG if outcome in _QUIET else logging.INFO
        extra = seen.fields if seen is not None else {}
        _log.log(level, "%s call %s: %s", self.upstream, name[:_SHOWN], outcome, extra=extra)
