"""How an upstream is treated, and how its callers are told."""

from dataclasses import dataclass

from indexer.errors import PlatformError, TimedOut, Unavailable
from mcp_server.upstream.errors import RateLimited


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
    """So many failures without a success between them open the breaker."""
    time_out_opens: bool = True
    """Whether one time-out does it alone, unless another call succeeded meanwhile."""
    cooldown: float = 5.0
    """How long an open breaker refuses at first; each failed trial doubles it, up to the longest."""
    longest_cooldown: float = 60.0
    cache_seconds: float = 10.0

    @property
    def trial(self) -> float:
        """How long one trial keeps others out while the breaker is open."""
        return self.attempt_timeout + 1.0


@dataclass(frozen=True, slots=True)
class ErrorMessages:
    """What callers read when the guard itself says no; never anything of theirs."""

    limited: str
    unavailable: str
    timed_out: str

    def refusal(self, retry_after: float, *, limited: bool) -> PlatformError:
        """Say that no request goes out: the caller made too many, or the breaker is open."""
        if limited:
            return RateLimited(self.limited, retry_after=retry_after)
        seconds = max(1, round(retry_after))
        return Unavailable(
            self.unavailable,
            action=f"Wait {seconds} seconds, then call again: it failed lately and is not asked meanwhile",
            details={"retry_after_s": seconds},
        )

    def too_slow(self) -> TimedOut:
        """Say that no answer came in time."""
        return TimedOut(self.timed_out, action="Ask for less, or try again later")
