"""The rules of `gate` as Lua scripts for Redis: each runs atomically for all processes, by the clock of Redis.

KEYS[1] is the circuit breaker (a hash), KEYS[2] a caller's latest calls (a list, newest first), KEYS[3] those of all
callers together, if they are limited. Times are milliseconds.
"""

from typing import Final

_NOW: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local breaker = KEYS[1]
local function number(name)
  return tonumber(redis.call('HGET', breaker, name) or '0')
end
"""

ACQUIRE: Final = (
    _NOW
    + """
local calls, window, trial_timeout, counts = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
local function wait(key, most, length)
  local oldest = redis.call('LLEN', key) >= most and redis.call('LINDEX', key, -1)
  return oldest and oldest + length - now or 0
end
local function count(key, most, length)
  redis.call('LPUSH', key, now)
  redis.call('LTRIM', key, 0, most - 1)
  redis.call('PEXPIRE', key, length)
end
local trial = 0
local open_until = number('open_until')
if open_until > 0 then
  local rejected_until = math.max(open_until, number('trial_until'))
  if now < rejected_until then
    return {'open', rejected_until - now, 0, 1}
  end
  trial = 1
end
if counts then
  local left = wait(KEYS[2], calls, window)
  if left > 0 then
    return {'limited', left, 0, 0}
  end
  if KEYS[3] then
    local total_calls, total_window = tonumber(ARGV[5]), tonumber(ARGV[6])
    left = wait(KEYS[3], total_calls, total_window)
    if left > 0 then
      return {'limited_together', left, 0, 0}
    end
    count(KEYS[3], total_calls, total_window)
  end
  count(KEYS[2], calls, window)
end
if trial == 1 then
  redis.call('HSET', breaker, 'trial_until', now + trial_timeout)
end
return {'allowed', 0, trial, number('failures')}
"""
)

RECORD_SUCCESS: Final = (
    _NOW
    + """
redis.call('DEL', breaker)
redis.call('HSET', breaker, 'succeeded_at', now)
redis.call('PEXPIRE', breaker, ARGV[1])
return 1
"""
)

RECORD_FAILURE: Final = (
    _NOW
    + """
local duration, timed_out, trial = tonumber(ARGV[1]), ARGV[2] == '1', ARGV[3] == '1'
local max_failures, cooldown, max_cooldown = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local failures = redis.call('HINCRBY', breaker, 'failures', 1)
redis.call('PEXPIRE', breaker, ARGV[7])
local is_down = timed_out and number('succeeded_at') < now - duration
if trial then
  cooldown = math.min(math.max(number('cooldown') * 2, cooldown), max_cooldown)
elseif number('open_until') > 0 or not (is_down or failures >= max_failures) then
  return 0
end
redis.call('HSET', breaker, 'cooldown', cooldown, 'open_until', now + cooldown, 'trial_until', 0)
return 1
"""
)

RECORD_UNKNOWN: Final = """
redis.call('HSET', KEYS[1], 'trial_until', 0)
return 1
"""

# Compare-and-set: KEYS[1] becomes ARGV[2] if it is ARGV[1], or in any case if ARGV[1] is empty.
EXCHANGE: Final = """
local current = redis.call('GET', KEYS[1])
if ARGV[1] ~= '' and current ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
"""
