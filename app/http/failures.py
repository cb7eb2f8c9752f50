"""Failures over HTTP: every one leaves in the same shape, with the status of its category."""

from collections.abc import Mapping
from typing import Final

from starlette.responses import Response

from app.http.responses import answer
from indexer.errors import Category, PlatformError

STATUS: Final[Mapping[Category, int]] = {
    "validation": 422,
    "not_found": 404,
    "conflict": 409,
    "authentication": 401,
    "authorization": 403,
    "not_configured": 501,
    "not_applicable": 400,
    "rate_limit": 429,
    "timeout": 504,
    "unavailable": 503,
    "provider": 502,
    "parse": 502,
}


def failure_response(error: PlatformError, status: int | None = None) -> Response:
    """Answer with a failure, by default with its category's status."""
    headers = {}
    if (seconds := error.details.get("retry_after_s")) is not None:
        headers["retry-after"] = str(max(1, round(seconds)))
    return answer(error.failure(), status=status or STATUS[error.category], headers=headers)
