"""What can go wrong with a catalog: each failure has a cause, something to do, and another tool to turn to."""

from collections.abc import Mapping
from typing import Any, Final

from indexer.errors import (
    Authentication,
    Authorization,
    Invalid,
    NotApplicable,
    NotConfigured,
    NotFound,
    PlatformError,
    Unavailable,
    closest,
)
from mcp_server.upstream.errors import Provider, RateLimited
from mcp_server.upstream.guard.attempts import AttemptFailed, retry_after
from mcp_server.upstream.guard.policy import ErrorMessages
from mcp_server.upstream.transport import Reply

WORDING: Final = ErrorMessages(
    limited="Too many Quilt searches by this team",
    unavailable="The Quilt catalog does not answer",
    timed_out="The Quilt catalog did not answer in time",
)
LISTING: Final = {"bucket_objects_list": "List the objects of a bucket in S3 by key; that is no search"}
_LOGIN: Final = "TRAWL_QUILT_TOKEN=<API key or refresh token> trawl serve"
_BUSY_SECONDS: Final = 5.0
_CAUSES: Final = {
    "validation": "The request breaks a rule of this search",
    "rate_limit": "Too many requests in a short time",
    "timeout": "No whole answer came in time",
    "unavailable": "The catalog or its registry could not be reached, or said that it is overloaded",
}


class StackChanged(Provider):
    """The stack does not understand a query that was written for it: it may have been upgraded meanwhile."""

    def __init__(self) -> None:
        super().__init__(
            "The catalog does not understand this search",
            action="Search again with refresh=true; if it stays, tell the operator of the catalog",
            details={"cause": "The registry refused a query that its own schema allows"},
        )


class NoRoute(NotApplicable):
    """The registry has nothing at this address; if no other way is left, the catalog has no search."""

    def __init__(self) -> None:
        super().__init__(
            "This catalog has no search",
            action="Use a catalog with search (TRAWL_QUILT_CATALOG_URL), or list objects with bucket_objects_list",
            details={"cause": "The registry offers neither GraphQL search nor Elasticsearch"},
        )


class Broken(Provider):
    """The catalog failed, not the question."""

    def __init__(self, cause: str = "The catalog or its registry failed") -> None:
        super().__init__(
            "The catalog's search failed",
            action="Try again; if it stays, tell the operator of the catalog",
            details={"cause": cause},
        )


class Unreadable(Broken):
    """The registry answered with something else than what it was asked for."""

    def __init__(self, cause: str = "The registry answered with something that is no search result") -> None:
        super().__init__(cause)


class NoIndices(PlatformError):
    """Some of the indices that were named cannot be searched: denied, or not there. Never leaves this package."""

    category = "authorization"

    def __init__(self, *, denied: bool) -> None:
        super().__init__("Some buckets cannot be searched", action="Name one bucket")
        self.denied = denied


def not_configured() -> NotConfigured:
    """Say which settings are missing."""
    return NotConfigured(
        "Quilt is not configured",
        action="Set TRAWL_QUILT_CATALOG_URL and TRAWL_QUILT_TOKEN and start the service again",
        details={"missing": ["TRAWL_QUILT_CATALOG_URL"], "cause": "No catalog is configured"},
    )


def not_logged_in() -> Authentication:
    """Say that there is no token; nothing has been asked."""
    return Authentication(
        "Search catalog requires authentication",
        action="Set TRAWL_QUILT_TOKEN to an API key or a refresh token of the catalog, and start the service again",
        command=_LOGIN,
        details={"cause": "No token is configured"},
    )


def token_refused() -> Authentication:
    """Say that the registry does not take the token."""
    return Authentication(
        "Search catalog requires authentication",
        action="Give TRAWL_QUILT_TOKEN a new API key or refresh token: the catalog shows a refresh token at /code",
        command=_LOGIN,
        details={"cause": "The registry refuses the token: it has expired, was revoked, or was used elsewhere"},
    )


def not_permitted(bucket: str | None = None) -> Authorization:
    """Say that the token's user may not search, here or anywhere."""
    where = "this catalog" if bucket is None else f"the bucket {bucket}"
    return Authorization(
        f"No permission to search {where}",
        action="Ask an administrator of the catalog for a role that may read the bucket, or search another one",
        details={"cause": "The registry knows the token's user and says no"},
    )


def unknown_bucket(bucket: str, known: list[str]) -> NotFound:
    """Say that the catalog has no such bucket, and which it has."""
    return NotFound(
        f"The catalog has no bucket {bucket}",
        action="Use one of the buckets in details.closest, or leave bucket out to search all",
        details={"closest": closest(bucket, known) or known[:5], "cause": "The catalog does not list this bucket"},
    )


def unsupported(what: str, instead: str) -> NotApplicable:
    """Say that the backend of this catalog cannot answer that."""
    return NotApplicable(what, action=instead, details={"cause": "The catalog's search has no such condition"})


def invalid(what: str, action: str, details: Mapping[str, Any] | None = None) -> Invalid:
    """Say what is wrong with a search."""
    return Invalid(what, action=action, details=details)


def invalid_query(errors: list[dict[str, str]] | None = None) -> Invalid:
    """Say that the catalog refuses the query or its filters; its own words are not repeated."""
    return Invalid(
        "Invalid query",
        action='Write plain words, or put text with signs like : / ( ) [ ] into quotes: "data/2025/a.csv"',
        details={"cause": "The catalog cannot read the query or its filters", "errors": errors or []},
    )


def failed(reply: Reply) -> AttemptFailed:
    """Say what a reply other than success means, where its status says it all."""
    if (refusal := _refusal(reply.status)) is not None:
        return AttemptFailed(refusal)
    wait = retry_after(reply.headers)
    match reply.status:
        case 429:
            busy = RateLimited("The Quilt catalog is busy", retry_after=_BUSY_SECONDS if wait is None else wait)
            return AttemptFailed(busy, retry=True, wait=wait)
        case 502 | 503:
            unavailable = Unavailable(WORDING.unavailable, action="Try again in a minute")
            return AttemptFailed(unavailable, retry=True, upstream_broke=True, wait=wait)
        case 504:
            return AttemptFailed(WORDING.too_slow(), upstream_broke=True)
        case status:
            return AttemptFailed(Broken(), upstream_broke=status >= 500)


def _refusal(status: int) -> PlatformError | None:
    """Say what is wrong with the request, where that is it."""
    match status:
        case 401:
            return token_refused()
        case 403:
            return not_permitted()
        case 404 | 405 | 501:
            return NoRoute()
        case 400 | 413 | 414 | 422:
            return invalid_query()
        case _:
            return None


def explained(error: PlatformError, known: Mapping[str, Any]) -> PlatformError:
    """Return the failure with what every failure of the catalog tells: its cause, and what is known of the catalog."""
    error.details = {"cause": _CAUSES.get(error.category, error.message), **error.details, **known}
    error.alternatives = LISTING | error.alternatives
    return error
