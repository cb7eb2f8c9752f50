"""What is known about calls afterwards: counts, and a keyed hash that tells equal questions from different ones."""

import hashlib
import hmac
import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_log = logging.getLogger(__name__)
_SHOWN: Final = 16
_QUIET: Final = frozenset({"cached", "joined"})
"""These asked nobody, so the log may do without them."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What else is known about a call: how long it took, the upstream's last status, how many results it had."""

    seconds: float
    status: int | None = None
    results: int | None = None

    @property
    def fields(self) -> dict[str, int]:
        """The known parts, by the names that the log allows."""
        parts = {"duration_ms": round(self.seconds * 1_000), "status": self.status, "count": self.results}
        return {name: value for name, value in parts.items() if value is not None}


class Hashes:
    """Names things by a hash that nobody can make without the service's key."""

    def __init__(self, key: bytes, purpose: str) -> None:
        self._key = hashlib.sha256(b"trawl upstream\0" + purpose.encode() + b"\0" + key).digest()

    def name(self, *parts: bytes | str) -> str:
        """Return the name of these parts together."""
        told = hmac.new(self._key, digestmod=hashlib.sha256)
        for part in parts:
            raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
            told.update(len(raw).to_bytes(8, "big") + raw)
        return told.hexdigest()[:32]


class Telemetry:
    """Counts calls of one upstream by what became of them. A line of the log holds no more than that and the hash."""

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        self.outcomes: Counter[str] = Counter()
        """How many calls ended so: ok, cached, joined, or a failure's category."""
        self.requests = 0
        """How many requests went upstream."""
        self.seconds = 0.0
        """How long they took together."""
        self.used: dict[str, Counter[str]] = {}
        """What each team used of what costs: calls, tokens, searches."""

    def request(self, seconds: float) -> None:
        """Count one request."""
        self.requests += 1
        self.seconds += seconds

    def use(self, team: str, amounts: Mapping[str, int]) -> None:
        """Count what a team used."""
        self.used.setdefault(team, Counter()).update(amounts)

    def call(self, outcome: str, name: str, seen: Seen | None = None) -> None:
        """Count one call."""
        self.outcomes[outcome] += 1
        level = logging.DEBUG if outcome in _QUIET else logging.INFO
        extra = seen.fields if seen is not None else {}
        _log.log(level, "%s call %s: %s", self.upstream, name[:_SHOWN], outcome, extra=extra)
