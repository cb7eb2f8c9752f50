"""Daily limits of a team's web searches, counted in Redis across all processes. A day begins at midnight UTC."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from indexer.errors import RateLimited
from mcp_server.features.web.failures import LIMITED
from mcp_server.features.web.settings import WebSettings
from mcp_server.shared import Shared
from mcp_server.upstream.telemetry import Hashes, UsedToday

_TTL_MILLISECONDS: Final = 2 * 86_400_000
_COUNT_CALL: Final = """
local allowed = 1
for i = 2, #ARGV, 2 do
  if tonumber(redis.call('HGET', KEYS[1], ARGV[i]) or '0') >= tonumber(ARGV[i + 1]) then
    allowed = 0
  end
end
if allowed == 1 then
  redis.call('HINCRBY', KEYS[1], 'calls', 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
local reply = {allowed}
for i = 2, #ARGV, 2 do
  table.insert(reply, tonumber(redis.call('HGET', KEYS[1], ARGV[i]) or '0'))
end
return reply
"""
_ADD_USAGE: Final = """
local totals = {}
for i = 2, #ARGV, 2 do
  table.insert(totals, redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]))
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return totals
"""
_READ_USAGE: Final = """
return redis.call('HMGET', KEYS[1], unpack(ARGV))
"""


def _now() -> datetime:
    return datetime.now(UTC)


class Budget:
    """Counts calls, tokens and cost of each team, as far as they are limited."""

    def __init__(
        self, name: str, settings: WebSettings, hashes: Hashes, shared: Shared, now: Callable[[], datetime] = _now
    ) -> None:
        dollars = settings.daily_dollars
        limits = {
            "calls": settings.daily_calls,
            "tokens": settings.daily_tokens,
            "microdollars": None if dollars is None else round(dollars * 1_000_000),
        }
        self._limits = {kind: limit for kind, limit in limits.items() if limit is not None}
        self._key_prefix = f"{name}:spent:"
        self._hashes = hashes
        self._shared = shared
        self._now = now
        self._local_usage: dict[str, Counter[str]] = {}
        self._totals: dict[str, tuple[str, Counter[str]]] = {}

    @property
    def limits(self) -> Mapping[str, int]:
        """The daily limits that are set: calls, tokens, microdollars."""
        return self._limits

    def usage_today(self) -> dict[str, dict[str, int]]:
        """Return what each team has used of its limits today, in all processes, as of this process's last call."""
        today = self._day()
        return {
            team: {kind: totals[kind] for kind in self._limits}
            for team, (day, totals) in self._totals.items()
            if day == today
        }

    async def read(self, team: str) -> UsedToday:
        """Return what a team has used of its limits today: in all processes, or in this one while Redis is down."""
        midnight = self._now().replace(hour=0, minute=0, second=0, microsecond=0)
        if not self._limits:
            return UsedToday(midnight, {}, is_shared=True)
        key = self._key(team)
        totals = await self._shared.run(_READ_USAGE, [key], list(self._limits))
        if totals is None:
            local = self._local_usage.get(key, Counter())
            return UsedToday(midnight, {kind: local[kind] for kind in self._limits}, is_shared=False)
        amounts = {kind: int(total or 0) for kind, total in zip(self._limits, totals, strict=True)}
        return UsedToday(midnight, amounts, is_shared=True)

    async def count_call(self, team: str) -> None:
        """Count a call; raise `RateLimited` where the team has reached a daily limit."""
        if not self._limits:
            return
        key = self._key(team)
        limits = [part for pair in self._limits.items() for part in pair]
        reply = await self._shared.run(_COUNT_CALL, [key], [_TTL_MILLISECONDS, *limits])
        local = self._local_counter(key)
        below = all(local[kind] < limit for kind, limit in self._limits.items())
        allowed = below if reply is None else reply[0] == 1
        if allowed:
            local["calls"] += 1
        self._remember(team, local if reply is None else dict(zip(self._limits, reply[1:], strict=True)))
        if not allowed:
            raise self._exhausted()

    async def add_usage(self, team: str, amounts: Mapping[str, int]) -> None:
        """Add the usage of an answer, which is known only after the call."""
        counted = {kind: amounts[kind] for kind in self._limits if kind in amounts}
        if not counted:
            return
        key = self._key(team)
        local = self._local_counter(key)
        local.update(counted)
        pairs = [part for pair in counted.items() for part in pair]
        totals = await self._shared.run(_ADD_USAGE, [key], [_TTL_MILLISECONDS, *pairs])
        self._remember(team, local if totals is None else dict(zip(counted, totals, strict=True)))

    def _remember(self, team: str, totals: Mapping[str, int]) -> None:
        day, known = self._totals.get(team, ("", Counter()))
        self._totals[team] = self._day(), Counter({**known, **totals} if day == self._day() else totals)

    def _day(self) -> str:
        return f"{self._now():%Y%m%d}"

    def _key(self, team: str) -> str:
        return f"{self._key_prefix}{self._day()}:{self._hashes.name(team)}"

    def _local_counter(self, key: str) -> Counter[str]:
        """Return this process's own counter, the fallback while Redis is down; those of other days are dropped."""
        day = key.rpartition(":")[0]
        self._local_usage = {other: counter for other, counter in self._local_usage.items() if other.startswith(day)}
        return self._local_usage.setdefault(key, Counter())

    def _exhausted(self) -> RateLimited:
        now = self._now()
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        error = RateLimited(
            LIMITED, retry_after=(midnight - now).total_seconds(), details={"budget": "daily", "resets_at": "00:00 UTC"}
        )
        error.action = "Wait until midnight (UTC), or ask the operator for a larger TRAWL_WEB_DAILY_… bound"
        return error
