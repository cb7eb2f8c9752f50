"""The token bucket: it holds `burst` permits at most, and gains them at a steady rate.

`TokenBucket` is the rule in one process, `TAKE` the same rule in Redis, where all processes share it.
"""

from dataclasses import dataclass
from typing import Final

_MILLISECONDS: Final = 60_000


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast permits come, and how many can be saved up."""

    per_minute: int
    burst: int

    @property
    def seconds_to_fill(self) -> float:
        """How long an empty bucket takes to be full."""
        return self.burst * 60 / self.per_minute


@dataclass(frozen=True, slots=True)
class Grant:
    """The permits that were taken; if none, how long it takes until there is one."""

    permits: int
    wait: float = 0.0


class TokenBucket:
    """One bucket, full at first. The caller tells the time, in seconds."""

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._permits = float(rate.burst)
        self._at = now

    def take(self, wanted: int, now: float) -> Grant:
        """Take as many permits as wanted, or as there are."""
        gained = max(0.0, now - self._at) * self._rate.per_minute / 60
        self._permits, self._at = min(self._rate.burst, self._permits + gained), now
        granted = min(wanted, int(self._permits))
        self._permits -= granted
        return Grant(granted, 0.0 if granted else (1 - self._permits) * 60 / self._rate.per_minute)


# KEYS[1] is the bucket (a hash). ARGV: the rate per minute, the burst, the permits wanted. Times are milliseconds, by
# the clock of Redis. Returns the permits, and the wait if there are none.
TAKE: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000
local rate, burst, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local stored = redis.call('HMGET', KEYS[1], 'permits', 'at')
local permits, at = tonumber(stored[1] or burst), tonumber(stored[2] or now)
permits = math.min(burst, permits + math.max(0, now - at) * rate / 60000)
local granted = math.min(wanted, math.floor(permits))
permits = permits - granted
redis.call('HSET', KEYS[1], 'permits', permits, 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil(burst * 60000 / rate) + 1000)
return {granted, granted > 0 and 0 or math.ceil((1 - permits) * 60000 / rate)}
"""


def grant_of(reply: list[int]) -> Grant:
    """Read the reply of `TAKE`."""
    granted, milliseconds = reply
    return Grant(granted, milliseconds / 1_000)
