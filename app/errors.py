"""Failures over HTTP: every one leaves in the same shape, with the status of its category."""

from collections.abc import Mapping
from typing import Final

from pydantic import ValidationError
from starlette.responses import Response

from app.answers import answer
from indexer.errors import Category, Invalid, PlatformError, shown

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
_SHOWN_PROBLEMS: Final = 20


class Refused(PlatformError):
    """This caller may not do that here."""

    category = "authorization"


def failure_response(error: PlatformError, status: int | None = None) -> Response:
    """Answer with a failure, by default with its category's status."""
    headers = {}
    if (seconds := error.details.get("retry_after_s")) is not None:
        headers["retry-after"] = str(max(1, round(seconds)))
    return answer(error.failure(), status=status or STATUS[error.category], headers=headers)


def wrong_arguments(error: ValidationError) -> Invalid:
    """Name each wrong argument and what is allowed, without the value that was given."""
    problems = [
        {
            "argument": shown(".".join(str(part) for part in problem["loc"]) or "body"),
            "problem": _PLAIN.get(problem["type"], problem["msg"]),
        }
        for problem in error.errors(include_url=False, include_context=False, include_input=False)
    ][:_SHOWN_PROBLEMS]
    listed = "; ".join(f"{problem['argument']}: {problem['problem']}" for problem in problems)
    return Invalid(
        f"Wrong arguments: {listed}",
        action="Correct the arguments named in details.errors; /docs lists what each call takes",
        details={"errors": problems},
    )


_PLAIN: Final = {
    "missing": "This argument is required",
    "extra_forbidden": "There is no such argument",
    # the library's own words repeat what was given
    "union_tag_invalid": "There is no such type",
}
