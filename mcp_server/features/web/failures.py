"""From what the provider answered to what the caller is told; its own words are never repeated."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from indexer.errors import Authentication, PlatformError, Unavailable
from mcp_server.upstream.errors import Provider, RateLimited
from mcp_server.upstream.guard.attempts import AttemptFailed, retry_after
from mcp_server.upstream.guard.policy import ErrorMessages

LIMITED: Final = "Rate limit exceeded"
_PROVIDER: Final = "Provider error"
WORDING: Final = ErrorMessages(limited=LIMITED, unavailable=_PROVIDER, timed_out=_PROVIDER)
_RETRIED: Final = frozenset({429, 500, 502, 503})
_BUSY_SECONDS: Final = 20.0
_NO_QUOTA: Final = "insufficient_quota"
_NO_QUOTA_SECONDS: Final = 3_600.0
_CODES: Final[Mapping[str, str]] = {
    "authentication": "AUTH",
    "rate_limit": "RATE_LIMIT",
    "provider": "PROVIDER",
    "timeout": "PROVIDER",
    "unavailable": "PROVIDER",
    "validation": "VALIDATION",
    "parse": "PARSE",
}


class Unreadable(PlatformError):
    """The provider answered, but not with a searched answer; the reason is one of our own words for it."""

    category = "parse"

    def __init__(self, reason: str, action: str = "Ask again, or put the question differently") -> None:
        super().__init__("Invalid response format", action=action, details={"reason": reason})


@contextmanager
def coded() -> Iterator[None]:
    """Give each failure the code that clients of web search know it by."""
    try:
        yield
    except PlatformError as error:
        error.code = _CODES.get(error.category)
        raise


def failed(status: int, headers: Mapping[str, str], code: str | None) -> AttemptFailed:
    """Say what a status other than success means, and whether another try makes sense."""
    retry = status in _RETRIED and code != _NO_QUOTA and headers.get("x-should-retry") != "false"
    wait = retry_after(headers)
    if status in {401, 403}:
        return AttemptFailed(
            Authentication("Authentication failed", action="Check OPENAI_API_KEY, and what its project may use"),
            status=status,
        )
    if status == 429:
        return AttemptFailed(_limited(wait, code), retry=retry, wait=wait, status=status)
    return AttemptFailed(provider_error(status), retry=retry, upstream_broke=status >= 500, wait=wait, status=status)


def unreachable() -> AttemptFailed:
    """Say that no answer came back at all."""
    error = Unavailable(_PROVIDER, action="Try again later; the operator can check OPENAI_BASE_URL and the network")
    return AttemptFailed(error, upstream_broke=True)


def provider_error(status: int) -> Provider:
    """Say that the provider broke, or refused a request that only the operator can change."""
    if status >= 500:
        return Provider(_PROVIDER, action="Try again in a minute", details={"status": status})
    return Provider(
        _PROVIDER,
        action="Tell the operator: TRAWL_WEB_MODEL must be a model that this key may use and that can search the web",
        details={"status": status},
    )


def _limited(wait: float | None, code: str | None) -> RateLimited:
    if code != _NO_QUOTA:
        return RateLimited(LIMITED, retry_after=_BUSY_SECONDS if wait is None else wait)
    error = RateLimited(LIMITED, retry_after=_NO_QUOTA_SECONDS)
    error.action = "Tell the operator that the account of OPENAI_API_KEY has no quota left; waiting does not help"
    return error
