"""A queue in Redis in which each team has a line of its own, and the lines are served in turn.

So a team with a thousand entries delays the entry of another team by one turn, not by a thousand. An entry is a key of
a record (`team/…`), and waits once at most. Each script runs atomically, so an entry is in its line exactly while it
counts as queued.
"""

from collections.abc import Iterable
from typing import Any, Final

import redis

# KEYS: who waits (a set of keys), the turns of teams (a sorted set), the number of the last turn.
# ARGV: the prefix of lines, then the team and the key, or the teams to pass over.
_PUSH: Final = """
if redis.call('SADD', KEYS[1], ARGV[3]) == 0 then
  return 0
end
redis.call('RPUSH', ARGV[1] .. ARGV[2], ARGV[3])
redis.call('ZADD', KEYS[2], 'NX', redis.call('INCR', KEYS[3]), ARGV[2])
return 1
"""
# A line that is in the turns is not empty, so the first one that is not passed over has an entry.
_POP: Final = """
local passed_over = {}
for i = 2, #ARGV do
  passed_over[ARGV[i]] = true
end
for _, team in ipairs(redis.call('ZRANGE', KEYS[2], 0, #ARGV - 1)) do
  if not passed_over[team] then
    local key = redis.call('LPOP', ARGV[1] .. team)
    redis.call('SREM', KEYS[1], key)
    if redis.call('EXISTS', ARGV[1] .. team) == 1 then
      redis.call('ZADD', KEYS[2], redis.call('INCR', KEYS[3]), team)
    else
      redis.call('ZREM', KEYS[2], team)
    end
    return key
  end
end
return false
"""


class FairQueue:
    """One queue; raises the errors of Redis."""

    def __init__(self, client: "redis.Redis", name: str) -> None:
        prefix = f"trawl:queue:{name}:"
        self._client = client
        self._keys = [f"{prefix}waiting", f"{prefix}turns", f"{prefix}turn"]
        self._lines = f"{prefix}line:"
        self._push = client.register_script(_PUSH)
        self._pop = client.register_script(_POP)

    def push(self, key: str) -> bool:
        """Put an entry at the end of its team's line; False if it waits there already."""
        return bool(self._push(keys=self._keys, args=[self._lines, team_of(key), key]))

    def pop(self, passed_over: Iterable[str] = ()) -> str | None:
        """Take the first entry of the team whose turn it is, passing over some teams; None if nobody else waits."""
        key: Any = self._pop(keys=self._keys, args=[self._lines, *passed_over])
        return None if key is None else key.decode()

    def has_others(self, team: str) -> bool:
        """Return whether an entry of another team waits."""
        first_two: Any = self._client.zrange(self._keys[1], 0, 1)
        return any(waiting.decode() != team for waiting in first_two)

    def __len__(self) -> int:
        length: Any = self._client.scard(self._keys[0])
        return int(length)


def team_of(key: str) -> str:
    """Return the team that a key belongs to."""
    return key.partition("/")[0]
