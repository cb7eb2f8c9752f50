"""The failure when no source could be searched."""

from collections.abc import Mapping, Sequence
from typing import Final

from indexer.errors import (
    Authentication,
    Authorization,
    Category,
    Conflict,
    Invalid,
    NotApplicable,
    NotConfigured,
    NotFound,
    PlatformError,
    TimedOut,
    Unavailable,
)
from mcp_server.features.everywhere.fan_out import Outcome
from mcp_server.upstream.errors import Provider


class _RateLimited(PlatformError):
    category = "rate_limit"


class _ParseError(PlatformError):
    category = "parse"


_ERROR_TYPES: Final[Mapping[Category, type[PlatformError]]] = {
    error_type.category: error_type
    for error_type in (
        *(Invalid, NotFound, Conflict, Authentication, Authorization, NotConfigured, NotApplicable),
        *(_RateLimited, TimedOut, Unavailable, Provider, _ParseError),
    )
}


def all_sources_failed(outcomes: Sequence[Outcome]) -> PlatformError:
    """Combine the failures of all sources; the category is theirs if they agree, or else `unavailable`."""
    errors = [outcome.error for outcome in outcomes if outcome.error is not None]
    first = errors[0]
    sources = [outcome.to_result() for outcome in outcomes]
    if len({error.category for error in errors}) > 1:
        return Unavailable(
            "None of the sources answered",
            action="See in details.sources what each of them needs; do that, name other sources, or try again later",
            details={"sources": sources},
        )
    details = {**first.details, "sources": sources}
    waits = [error.details["retry_after_s"] for error in errors if "retry_after_s" in error.details]
    if waits:
        details["retry_after_s"] = max(waits)
    failure = _ERROR_TYPES[first.category](
        first.message if len(errors) == 1 else f"None of the sources answered: {first.message}",
        action=first.action,
        command=first.command,
        details=details,
        alternatives=first.alternatives,
    )
    failure.code = first.code
    return failure
