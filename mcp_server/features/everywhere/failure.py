"""What a caller is told when no source answered."""

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
from mcp_server.features.everywhere.asking import Outcome
from mcp_server.upstream.errors import Provider


class _Limited(PlatformError):
    category = "rate_limit"


class _Unreadable(PlatformError):
    category = "parse"


_KINDS: Final[Mapping[Category, type[PlatformError]]] = {
    kind.category: kind
    for kind in (
        *(Invalid, NotFound, Conflict, Authentication, Authorization, NotConfigured, NotApplicable),
        *(_Limited, TimedOut, Unavailable, Provider, _Unreadable),
    )
}


def no_answer(outcomes: Sequence[Outcome]) -> PlatformError:
    """Return a failure that has every source's own; its category is theirs where they agree, else unavailable."""
    errors = [outcome.error for outcome in outcomes if outcome.error is not None]
    first = errors[0]
    sources = [outcome.told() for outcome in outcomes]
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
    failure = _KINDS[first.category](
        first.message if len(errors) == 1 else f"None of the sources answered: {first.message}",
        action=first.action,
        command=first.command,
        details=details,
        alternatives=first.alternatives,
    )
    failure.code = first.code
    return failure
