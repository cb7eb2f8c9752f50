"""Failures as HTTP responses: one JSON shape, with a status per category."""

from collections.abc import Mapping
from typing import Final

from starlette.responses import Response

from app.http.responses import json_response
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
    """Build the response to a failure; `status` overrides the status of its category."""
    headers = {}
    if (seconds := error.details.get("retry_after_s")) is not None:
        headers["retry-after"] = str(max(1, round(seconds)))
    return json_response(error.failure(), status=status or STATUS[error.category], headers=headers)
