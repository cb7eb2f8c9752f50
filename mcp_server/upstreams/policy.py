"""How an upstream is treated, and how its callers are told."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    """Limits of one upstream. Times are seconds."""

    calls: int
    """How many calls a caller may make..."""
    window: float
    """...in any time of this length; answers from the cache and joined calls do not count."""
    attempts: int = 3
    """Requests for one call at most, the first included."""
    attempt_timeout: float = 30.0
    deadline: float = 45.0
    """For a call in all, with its retries and waiting."""
    longest_wait: float = 5.0
    """An upstream that asks for more patience is not waited for: the caller is told."""
    first_wait: float = 0.25
    failures: int = 5
    """So many failures without a success between them open the breaker; a time-out does it alone."""
    cooldown: float = 5.0
    """How long an open breaker refuses at first; each failed trial doubles it, up to the longest."""
    longest_cooldown: float = 60.0
    cache_seconds: float = 10.0

    @property
    def trial(self) -> float:
        """How long one trial keeps others out while the breaker is open."""
        return self.attempt_timeout + 1.0


@dataclass(frozen=True, slots=True)
class Wording:
    """What callers read when the guard itself says no; never anything of theirs."""

    limited: str
    unavailable: str
    timed_out: str
