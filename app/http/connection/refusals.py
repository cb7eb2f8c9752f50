"""Responses to requests that never reach the application, ready to be sent."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from app.http.connection.limits import HEAD_BYTES, LINE_BYTES, LOWEST_RATE, MAX_HEADERS
from app.http.responses import to_json
from indexer.errors import Invalid, PlatformError, TimedOut, Unavailable

_RETRY_SECONDS: Final = 2


@dataclass(frozen=True, slots=True)
class Refusal:
    """A response, and the name of the limit in the metrics."""

    limit: str
    response: bytes


def too_many_connections() -> Unavailable:
    """Return the failure for a request on a connection above the limit."""
    return Unavailable(
        "The service has as many connections as it can serve",
        action=f"Try again in {_RETRY_SECONDS} seconds; if it persists, raise TRAWL_MAX_CONNECTIONS and the limit of "
        "open files (ulimit -n)",
        details={"retry_after_s": _RETRY_SECONDS},
    )


def _refusal(limit: str, status: HTTPStatus, failure: PlatformError) -> Refusal:
    body = to_json(failure.failure())
    headers = {
        "content-type": "application/json",
        "content-length": len(body),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "connection": "close",
    }
    if (seconds := failure.details.get("retry_after_s")) is not None:
        headers["retry-after"] = seconds
    lines = [f"HTTP/1.1 {status} {status.phrase}", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return Refusal(limit, "\r\n".join(lines).encode() + body)


MALFORMED: Final = _refusal(
    "malformed",
    HTTPStatus.BAD_REQUEST,
    Invalid("This is no valid HTTP request", action="Send HTTP/1.1, with one Content-Length or chunked, not both"),
)
LONG_LINE: Final = _refusal(
    "headers",
    HTTPStatus.REQUEST_URI_TOO_LONG,
    Invalid(
        "The address is too long",
        action="Send the arguments of a search as JSON in a body",
        details={"limit_bytes": LINE_BYTES},
    ),
)
LONG_HEAD: Final = _refusal(
    "headers",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    Invalid(
        "The request has too many headers or too long ones",
        action=f"Send at most {MAX_HEADERS} headers in {HEAD_BYTES:,} bytes",
        details={"limit_bytes": HEAD_BYTES, "limit_headers": MAX_HEADERS},
    ),
)
PIPELINED: Final = _refusal(
    "pipelined",
    HTTPStatus.BAD_REQUEST,
    Invalid("Too many requests wait on this connection", action="Wait for answers, or use more connections"),
)
SLOW: Final = _refusal(
    "slow",
    HTTPStatus.REQUEST_TIMEOUT,
    TimedOut(
        "The request did not arrive in time",
        action=f"Send it without pauses, {LOWEST_RATE:,} bytes a second or more",
        details={"lowest_bytes_per_second": LOWEST_RATE},
    ),
)
FULL: Final = _refusal("connections", HTTPStatus.SERVICE_UNAVAILABLE, too_many_connections())
