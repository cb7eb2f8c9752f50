"""Maps error responses of the provider to failures; its own messages are never passed on."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from indexer.errors import Authentication, PlatformError, RateLimited, Unavailable
from mcp_server.upstream.errors import Provider
from mcp_server.upstream.guard.attempts import AttemptFailed, retry_after
from mcp_server.upstream.guard.policy import ErrorMessages

LIMITED: Final = "Rate limit exceeded"
_PROVIDER_ERROR: Final = "Provider error"
ERROR_MESSAGES: Final = ErrorMessages(limited=LIMITED, unavailable=_PROVIDER_ERROR, timed_out=_PROVIDER_ERROR)
_RETRIED_STATUSES: Final = frozenset({429, 500, 502, 503})
_BUSY_SECONDS: Final = 20.0
_NO_QUOTA: Final = "insufficient_quota"
_NO_QUOTA_SECONDS: Final = 3_600.0
_MAX_ID_LENGTH: Final = 200
_CODES: Final[Mapping[str, str]] = {
    "authentication": "AUTH",
    "rate_limit": "RATE_LIMIT",
    "provider": "PROVIDER",
    "timeout": "PROVIDER",
    "unavailable": "PROVIDER",
    "validation": "VALIDATION",
    "parse": "PARSE",
}


class InvalidResponse(PlatformError):
    """The provider's response is not an answer from a web search; the reason is a fixed text of ours."""

    category = "parse"

    def __init__(self, reason: str, action: str = "Ask again, or put the question differently") -> None:
        super().__init__("Invalid response format", action=action, details={"reason": reason})


@contextmanager
def error_codes() -> Iterator[None]:
    """Set the error code of each failure, which clients of web search expect."""
    try:
        yield
    except PlatformError as error:
        error.code = _CODES.get(error.category)
        raise


def name_request(failed: AttemptFailed, headers: Mapping[str, str]) -> AttemptFailed:
    """Add the provider's own id of the request, by which its support finds it, to the failure and its log entry."""
    given = headers.get("x-request-id", "")
    request_id = "".join(character for character in given if " " <= character <= "~").strip()[:_MAX_ID_LENGTH]
    if request_id:
        failed.request_id = failed.error.details["provider_request_id"] = request_id
    return failed


@contextmanager
def named_request(headers: Mapping[str, str]) -> Iterator[None]:
    """Do the same for a failure that is found in a response."""
    try:
        yield
    except AttemptFailed as failed:
        raise name_request(failed, headers) from None


def attempt_failure(status: int, headers: Mapping[str, str], code: str | None) -> AttemptFailed:
    """Return the failure for a response that is not a success, and whether to retry."""
    retry = status in _RETRIED_STATUSES and code != _NO_QUOTA and headers.get("x-should-retry") != "false"
    wait = retry_after(headers)
    if status in {401, 403}:
        return AttemptFailed(
            Authentication("Authentication failed", action="Check OPENAI_API_KEY, and what its project may use"),
            status=status,
        )
    if status == 429:
        return AttemptFailed(_rate_limited(wait, code), retry=retry, wait=wait, status=status)
    return AttemptFailed(provider_error(status), retry=retry, upstream_broke=status >= 500, wait=wait, status=status)


def connection_failure() -> AttemptFailed:
    """Return the failure of a request without a response."""
    error = Unavailable(
        _PROVIDER_ERROR, action="Try again later; the operator can check OPENAI_BASE_URL and the network"
    )
    return AttemptFailed(error, upstream_broke=True)


def provider_error(status: int) -> Provider:
    """Return the failure of the provider itself, or of a request that only the operator can correct."""
    if status >= 500:
        return Provider(_PROVIDER_ERROR, action="Try again in a minute", details={"status": status})
    return Provider(
        _PROVIDER_ERROR,
        action="Tell the operator: TRAWL_WEB_MODEL must be a model that this key may use and that can search the web",
        details={"status": status},
    )


def _rate_limited(wait: float | None, code: str | None) -> RateLimited:
    if code != _NO_QUOTA:
        return RateLimited(LIMITED, retry_after=_BUSY_SECONDS if wait is None else wait)
    error = RateLimited(LIMITED, retry_after=_NO_QUOTA_SECONDS)
    error.action = "Tell the operator that the account of OPENAI_API_KEY has no quota left; waiting does not help"
    return error
