"""Failures as HTTP responses: one JSON shape, with a status per category."""

from collections.abc import Mapping
from typing import Final

from starlette.responses import Response

from app.http.responses import json_response
from indexer.errors import Category, PlatformError
from mcp_server.access.challenge import challenge

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


def failure_response(
    error: PlatformError, status: int | None = None, challenge_for: tuple[str, str] | None = None
) -> Response:
    """Build the response to a failure; `status` overrides the status of its category.

    `challenge_for` is the service's public URL and the path of the request, for failures that a token would help.
    """
    headers = {}
    if challenge_for is not None and (value := challenge(*challenge_for, error)) is not None:
        headers["www-authenticate"] = value
    if (seconds := error.details.get("retry_after_s")) is not None:
        headers["retry-after"] = str(max(1, round(seconds)))
    return json_response(error.failure(), status=status or STATUS[error.category], headers=headers)
