"""Maps error responses of OSDU to failures: the caller's message, and whether a retry makes sense."""

from typing import Any, Final

import orjson

from indexer.errors import Authentication, Authorization, ExpiredView, Invalid, PlatformError, RateLimited, Unavailable
from indexer.text.clean import clean_text
from indexer.text.truncate import shorten_text
from mcp_server.features.osdu.query.checks import invalid
from mcp_server.upstream.errors import Provider
from mcp_server.upstream.guard.attempts import AttemptFailed, retry_after
from mcp_server.upstream.guard.policy import ErrorMessages
from mcp_server.upstream.transport import Reply

ERROR_MESSAGES: Final = ErrorMessages(
    limited="Too many OSDU searches by this team",
    unavailable="Search service temporarily unavailable",
    timed_out="Search service did not answer in time",
)
_BUSY_SECONDS: Final = 5.0
_RETRY_AFTER_SECONDS: Final = {502: 10, 504: 60}
"""Suggested to the caller by status: too long to wait for within one call."""
_MAX_MESSAGE_LENGTH: Final = 300


class CursorLost(ExpiredView):
    """OSDU no longer accepts its cursor; a new one must be opened."""


def attempt_failure(reply: Reply, query: str) -> AttemptFailed:
    """Return the failure for a response that is not a success."""
    error = _parse_error(reply.body)
    if reply.status in {400, 403} and "cursor" in f"{error.get('reason', '')} {error.get('message', '')}".lower():
        return AttemptFailed(CursorLost())
    if (rejection := _rejection(reply.status, error, query)) is not None:
        return AttemptFailed(rejection)
    wait = retry_after(reply.headers)
    match reply.status:
        case 429:
            busy = RateLimited("Search service is busy", retry_after=_BUSY_SECONDS if wait is None else wait)
            return AttemptFailed(busy, retry=True, wait=wait)
        case 503:
            details = {} if wait is None else {"retry_after_s": max(1, round(wait))}
            unavailable = Unavailable(ERROR_MESSAGES.unavailable, action="Try again in a minute", details=details)
            return AttemptFailed(unavailable, retry=True, upstream_broke=True, wait=wait)
        case status:
            return AttemptFailed(service_error(_RETRY_AFTER_SECONDS.get(status)), upstream_broke=status >= 500)


def _rejection(status: int, error: dict[str, Any], query: str) -> PlatformError | None:
    """Return the failure where the request itself is at fault; None for every other status."""
    match status:
        case 400:
            return invalid(
                _error_message(error, query),
                action="Correct the query or its fields: text needs .keyword to be sorted or aggregated, and old "
                "releases refuse to sort by _score, which is the order without sort anyway",
            )
        case 401:
            return Authentication(
                "Authentication required",
                action="Check TRAWL_OSDU_TOKEN or the client credentials, and that their user has the role "
                "users.datalake.viewers in this partition",
            )
        case 403:
            return Authorization(
                "Insufficient permissions for search",
                action="Ask for access to this partition or these records for the service's user",
            )
        case 413:
            return Invalid(
                "Query exceeds complexity limits",
                action="Ask for fewer records or fewer returned_fields, or split the query",
            )
        case _:
            return None


def service_error(retry_after: int | None = None) -> Provider:
    """Return the failure of OSDU itself, with the seconds after which to try again."""
    if retry_after is None:
        return Provider("Search service error", action="Try again; if it stays, tell the operator of OSDU")
    return Provider(
        "Search service error", action=f"Try again in {retry_after} seconds", details={"retry_after_s": retry_after}
    )


def _parse_error(body: bytes) -> dict[str, Any]:
    try:
        error = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return error if isinstance(error, dict) else {}


def _error_message(error: dict[str, Any], query: str) -> str:
    """Return the service's error message without the query, which it may repeat."""
    errors = error.get("errors")
    parts = [str(part) for part in errors] if isinstance(errors, list) and errors else [str(error.get("message", ""))]
    message = clean_text("; ".join(part for part in parts if part))
    if query.strip():
        message = message.replace(query, "…")
    return shorten_text(" ".join(message.split()), _MAX_MESSAGE_LENGTH) or "the service refused it"
