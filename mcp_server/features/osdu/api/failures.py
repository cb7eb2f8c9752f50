"""From a status of the service to what the caller is told, and whether another try makes sense."""

from typing import Any, Final

import orjson

from indexer.errors import Authentication, Authorization, ExpiredView, Invalid, PlatformError, Unavailable
from indexer.text.clean import clean_text
from indexer.text.truncate import shorten_text
from mcp_server.features.osdu.query.checks import invalid
from mcp_server.upstream.errors import Provider, RateLimited
from mcp_server.upstream.guard.attempts import AttemptFailed, retry_after
from mcp_server.upstream.guard.policy import ErrorMessages
from mcp_server.upstream.transport import Reply

WORDING: Final = ErrorMessages(
    limited="Too many OSDU searches by this team",
    unavailable="Search service temporarily unavailable",
    timed_out="Search service did not answer in time",
)
_BUSY_SECONDS: Final = 5.0
_LATER: Final = {502: 10, 504: 60}
"""After so many seconds these statuses may be gone; too long to keep a caller waiting."""
_DETAIL: Final = 300


class CursorLost(ExpiredView):
    """The service no longer knows its cursor, or knows it as somebody else's: reading must start anew."""


def failed(reply: Reply, query: str) -> AttemptFailed:
    """Say what a reply other than success means."""
    told = _told(reply.body)
    if reply.status in {400, 403} and "cursor" in f"{told.get('reason', '')} {told.get('message', '')}".lower():
        return AttemptFailed(CursorLost())
    if (refusal := _refusal(reply.status, told, query)) is not None:
        return AttemptFailed(refusal)
    wait = retry_after(reply.headers)
    match reply.status:
        case 429:
            busy = RateLimited("Search service is busy", retry_after=_BUSY_SECONDS if wait is None else wait)
            return AttemptFailed(busy, retry=True, wait=wait)
        case 503:
            details = {} if wait is None else {"retry_after_s": max(1, round(wait))}
            unavailable = Unavailable(WORDING.unavailable, action="Try again in a minute", details=details)
            return AttemptFailed(unavailable, retry=True, upstream_broke=True, wait=wait)
        case status:
            return AttemptFailed(service_error(_LATER.get(status)), upstream_broke=status >= 500)


def _refusal(status: int, told: dict[str, Any], query: str) -> PlatformError | None:
    """Say what is wrong with the request, where that is it."""
    match status:
        case 400:
            return invalid(
                _detail(told, query),
                action="Correct the query or its fields: text needs .keyword to be sorted or aggregated",
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


def service_error(later: int | None = None) -> Provider:
    """Say that the service broke, and when another try makes sense."""
    if later is None:
        return Provider("Search service error", action="Try again; if it stays, tell the operator of OSDU")
    return Provider("Search service error", action=f"Try again in {later} seconds", details={"retry_after_s": later})


def _told(body: bytes) -> dict[str, Any]:
    try:
        told = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return told if isinstance(told, dict) else {}


def _detail(told: dict[str, Any], query: str) -> str:
    """Return what the service said, without the query that it may have repeated."""
    errors = told.get("errors")
    parts = [str(part) for part in errors] if isinstance(errors, list) and errors else [str(told.get("message", ""))]
    said = clean_text("; ".join(part for part in parts if part))
    if query.strip():
        said = said.replace(query, "…")
    return shorten_text(" ".join(said.split()), _DETAIL) or "the service refused it"
