"""The limits of an upstream, and the messages of the failures that the guard raises."""

from dataclasses import dataclass

from indexer.errors import PlatformError, RateLimited, TimedOut, Unavailable


@dataclass(frozen=True, slots=True)
class Policy:
    """Rate limit, retries, circuit breaker and cache of one upstream. Times are in seconds."""

    calls: int
    """The rate limit: the maximum number of calls of a caller within a window."""
    window: float
    """The length of the sliding window. Cached responses, and calls that join another in flight, do not count."""
    total_calls: int | None = None
    """The rate limit of all callers together, within `total_window`; None for no limit."""
    total_window: float = 60.0
    attempts: int = 3
    """The maximum number of attempts, including the first."""
    attempt_timeout: float = 30.0
    deadline: float = 45.0
    """The time for a call in all, with retries and the delays between them."""
    longest_wait: float = 5.0
    """The longest delay before a retry; if Retry-After asks for more, the call fails at once."""
    first_wait: float = 0.25
    """The base of the exponential backoff."""
    failures: int = 5
    """The number of consecutive failures that opens the circuit breaker."""
    time_out_opens: bool = True
    """Whether one timeout opens it, unless another request succeeded in the meantime."""
    cooldown: float = 5.0
    """How long the breaker stays open at first; each failed trial doubles it, up to `longest_cooldown`."""
    longest_cooldown: float = 60.0
    cache_seconds: float = 10.0

    @property
    def trial_timeout(self) -> float:
        """How long a half-open breaker waits for its trial request before it lets another one through."""
        return self.attempt_timeout + 1.0


@dataclass(frozen=True, slots=True)
class ErrorMessages:
    """The messages of failures that the guard itself raises; they contain nothing of the request."""

    limited: str
    unavailable: str
    timed_out: str

    def limited_together(self, retry_after: float) -> RateLimited:
        """Build the failure for a request over the rate limit of all callers together."""
        error = RateLimited(self.limited, retry_after=retry_after, details={"limit": "all teams together"})
        error.action += ": the limit of all teams together is used up, perhaps by another team"
        return error

    def refusal(self, retry_after: float, *, limited: bool) -> PlatformError:
        """Build the failure for a request that is not sent: over the rate limit, or the breaker is open."""
        if limited:
            return RateLimited(self.limited, retry_after=retry_after)
        seconds = max(1, round(retry_after))
        return Unavailable(
            self.unavailable,
            action=f"Wait {seconds} seconds, then call again: it failed lately and is not asked meanwhile",
            details={"retry_after_s": seconds},
        )

    def too_slow(self) -> TimedOut:
        """Build the failure for a timeout."""
        return TimedOut(self.timed_out, action="Ask for less, or try again later")
