"""What a team may use of the web in a day, counted by all processes together. Days are those of UTC."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from mcp_server.features.web.failures import LIMITED
from mcp_server.features.web.settings import WebSettings
from mcp_server.upstream.errors import RateLimited
from mcp_server.upstream.guard.guard import Shared
from mcp_server.upstream.telemetry import Hashes

_KEPT_MILLISECONDS: Final = 2 * 86_400_000
_ENTER: Final = """
for place = 2, #ARGV, 2 do
  if tonumber(redis.call('HGET', KEYS[1], ARGV[place]) or '0') >= tonumber(ARGV[place + 1]) then
    return 0
  end
end
redis.call('HINCRBY', KEYS[1], 'calls', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
"""
_SPEND: Final = """
for place = 2, #ARGV, 2 do
  redis.call('HINCRBY', KEYS[1], ARGV[place], ARGV[place + 1])
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
"""


def _now() -> datetime:
    return datetime.now(UTC)


class Budget:
    """Counts calls, tokens and cost of each team, where there is a bound to one of them."""

    def __init__(
        self, name: str, settings: WebSettings, hashes: Hashes, shared: Shared, now: Callable[[], datetime] = _now
    ) -> None:
        dollars = settings.daily_dollars
        bounds = {
            "calls": settings.daily_calls,
            "tokens": settings.daily_tokens,
            "microdollars": None if dollars is None else round(dollars * 1_000_000),
        }
        self._bounds = {kind: bound for kind, bound in bounds.items() if bound is not None}
        self._place = f"{name}:spent:"
        self._hashes = hashes
        self._shared = shared
        self._now = now
        self._alone: dict[str, Counter[str]] = {}

    async def enter(self, team: str) -> None:
        """Count a call, or fail where the team has used up its day."""
        if not self._bounds:
            return
        name = self._name(team)
        bounds = [part for pair in self._bounds.items() for part in pair]
        allowed = await self._shared.run(_ENTER, [name], [_KEPT_MILLISECONDS, *bounds])
        spent = self._spent(name)
        if allowed is None:
            allowed = all(spent[kind] < bound for kind, bound in self._bounds.items())
        if not allowed:
            raise self._used_up()
        spent["calls"] += 1

    async def spend(self, team: str, amounts: Mapping[str, int]) -> None:
        """Count what an answer cost, which nobody knew before."""
        counted = {kind: amounts[kind] for kind in self._bounds if kind in amounts}
        if not counted:
            return
        name = self._name(team)
        self._spent(name).update(counted)
        told = [part for pair in counted.items() for part in pair]
        await self._shared.run(_SPEND, [name], [_KEPT_MILLISECONDS, *told])

    def _name(self, team: str) -> str:
        return f"{self._place}{self._now():%Y%m%d}:{self._hashes.name(team)}"

    def _spent(self, name: str) -> Counter[str]:
        """Return what this process knows of, for the time while Redis is away; other days are forgotten."""
        day = name.rpartition(":")[0]
        self._alone = {known: spent for known, spent in self._alone.items() if known.startswith(day)}
        return self._alone.setdefault(name, Counter())

    def _used_up(self) -> RateLimited:
        now = self._now()
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        error = RateLimited(
            LIMITED, retry_after=(midnight - now).total_seconds(), details={"budget": "daily", "resets_at": "00:00 UTC"}
        )
        error.action = "Wait until midnight (UTC), or ask the operator for a larger TRAWL_WEB_DAILY_… bound"
        return error
