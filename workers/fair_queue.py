"""A queue in Redis whose teams are served in turn, and within a team its jobs.

So a team with a thousand entries delays the entry of another team by one turn, not by a thousand, and a job of a
thousand chunks delays another job of its team likewise. An entry is a key of a record (`team/job…`), and waits once at
most. Each script runs atomically, so an entry is in its job's line exactly while it counts as queued.
"""

from collections.abc import Iterable
from typing import Any, Final

import redis

# KEYS: who waits (a set of keys), the turns of teams (a sorted set), the number of the last turn.
# ARGV: the prefix of lines and of the turns of a team's jobs, then the team, the job and the key, or the teams to pass
# over. A new line goes behind all others.
_PUSH: Final = """
if redis.call('SADD', KEYS[1], ARGV[4]) == 0 then
  return 0
end
local turn = redis.call('INCR', KEYS[3])
redis.call('RPUSH', ARGV[1] .. 'line:' .. ARGV[3], ARGV[4])
redis.call('ZADD', ARGV[1] .. 'jobs:' .. ARGV[2], 'NX', turn, ARGV[3])
redis.call('ZADD', KEYS[2], 'NX', turn, ARGV[2])
return 1
"""
# A team that is in the turns has a job in its own, whose line is not empty. So the first team that is not passed over
# has an entry. Whoever was served goes behind all others, or out if nothing of it is left.
_POP: Final = """
local function served(turns, member, line)
  if redis.call('EXISTS', line) == 1 then
    redis.call('ZADD', turns, redis.call('INCR', KEYS[3]), member)
  else
    redis.call('ZREM', turns, member)
  end
end
local passed_over = {}
for i = 2, #ARGV do
  passed_over[ARGV[i]] = true
end
for _, team in ipairs(redis.call('ZRANGE', KEYS[2], 0, #ARGV - 1)) do
  if not passed_over[team] then
    local jobs = ARGV[1] .. 'jobs:' .. team
    local job = redis.call('ZRANGE', jobs, 0, 0)[1]
    local line = ARGV[1] .. 'line:' .. job
    local key = redis.call('LPOP', line)
    redis.call('SREM', KEYS[1], key)
    served(jobs, job, line)
    served(KEYS[2], team, jobs)
    return key
  end
end
return false
"""


class FairQueue:
    """One queue; raises the errors of Redis."""

    def __init__(self, client: "redis.Redis", name: str) -> None:
        self._prefix = f"trawl:turns:{name}:"
        self._client = client
        self._keys = [f"{self._prefix}waiting", f"{self._prefix}teams", f"{self._prefix}last"]
        self._push = client.register_script(_PUSH)
        self._pop = client.register_script(_POP)

    def push(self, key: str) -> bool:
        """Put an entry at the end of its job's line; False if it waits there already."""
        return bool(self._push(keys=self._keys, args=[self._prefix, team_of(key), job_of(key), key]))

    def pop(self, passed_over: Iterable[str] = ()) -> str | None:
        """Take the next entry of the team and job whose turn it is, passing over some teams; None if nothing waits."""
        key: Any = self._pop(keys=self._keys, args=[self._prefix, *passed_over])
        return None if key is None else key.decode()

    def has_others(self, job: str) -> bool:
        """Return whether an entry of another job waits, of this job's team or of another."""
        team = team_of(job)
        pipeline = self._client.pipeline(transaction=False)
        pipeline.zrange(self._keys[1], 0, 1)
        pipeline.zrange(f"{self._prefix}jobs:{team}", 0, 1)
        teams, jobs = pipeline.execute()
        return any(each.decode() != team for each in teams) or any(each.decode() != job for each in jobs)

    def __len__(self) -> int:
        length: Any = self._client.scard(self._keys[0])
        return int(length)


def team_of(key: str) -> str:
    """Return the team that a key belongs to."""
    return key.partition("/")[0]


def job_of(key: str) -> str:
    """Return the key of the job that a job's or chunk's key belongs to."""
    return "/".join(key.split("/", 2)[:2])
