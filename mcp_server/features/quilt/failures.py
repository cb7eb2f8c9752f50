"""Failures of the catalog: each has a cause, an action, and an alternative operation."""

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
    RateLimited,
    Unavailable,
    closest,
)
from mcp_server.upstream.errors import Provider
from mcp_server.upstream.guard.attempts import AttemptFailed, retry_after
from mcp_server.upstream.guard.policy import ErrorMessages
from mcp_server.upstream.transport import Reply

ERROR_MESSAGES: Final = ErrorMessages(
    limited="Too many Quilt searches by this team",
    unavailable="The Quilt catalog does not answer",
    timed_out="The Quilt catalog did not answer in time",
)
LISTING_ALTERNATIVE: Final = {"bucket_objects_list": "List S3 objects of a bucket by key; that is no search"}
_LOGIN: Final = "TRAWL_QUILT_TOKEN=<API key or refresh token> trawl serve"
_BUSY_SECONDS: Final = 5.0
_CAUSES: Final = {
    "validation": "The request breaks a rule of this search",
    "rate_limit": "Too many requests in a short time",
    "timeout": "No whole answer came in time",
    "unavailable": "The catalog or its registry could not be reached, or said that it is overloaded",
}


class StackChanged(Provider):
    """The stack rejected a query that was built for its schema: it may have been upgraded since."""

    def __init__(self) -> None:
        super().__init__(
            "The catalog does not understand this search",
            action="Search again with refresh=true; if it stays, tell the operator of the catalog",
            details={"cause": "The registry refused a query that its own schema allows"},
        )


class NoRoute(NotApplicable):
    """The registry has no such endpoint. If neither backend has one, the catalog has no search."""

    def __init__(self) -> None:
        super().__init__(
            "This catalog has no search",
            action="Use a catalog with search (TRAWL_QUILT_CATALOG_URL), or list objects with bucket_objects_list",
            details={"cause": "The registry offers neither GraphQL search nor Elasticsearch"},
        )


class CatalogFailed(Provider):
    """The catalog or its registry failed; the request was valid."""

    def __init__(self, cause: str = "The catalog or its registry failed") -> None:
        super().__init__(
            "The catalog's search failed",
            action="Try again; if it stays, tell the operator of the catalog",
            details={"cause": cause},
        )


class UnexpectedResponse(CatalogFailed):
    """The registry returned something else than the requested result."""

    def __init__(self, cause: str = "The registry answered with something that is no search result") -> None:
        super().__init__(cause)


class IndicesNotSearchable(PlatformError):
    """Some of the named indices are denied or missing. Handled within this package; callers never see it."""

    category = "authorization"

    def __init__(self, *, denied: bool) -> None:
        super().__init__("Some buckets cannot be searched", action="Name one bucket")
        self.denied = denied


def not_configured() -> NotConfigured:
    """Return the failure of missing settings."""
    return NotConfigured(
        "Quilt is not configured",
        action="Set TRAWL_QUILT_CATALOG_URL and TRAWL_QUILT_TOKEN and start the service again",
        details={"missing": ["TRAWL_QUILT_CATALOG_URL"], "cause": "No catalog is configured"},
    )


def not_logged_in() -> Authentication:
    """Return the failure of a missing token; no request was sent."""
    return Authentication(
        "Search catalog requires authentication",
        action="Set TRAWL_QUILT_TOKEN to an API key or a refresh token of the catalog, and start the service again",
        command=_LOGIN,
        details={"cause": "No token is configured"},
    )


def token_refused() -> Authentication:
    """Return the failure of a token that the registry rejects."""
    return Authentication(
        "Search catalog requires authentication",
        action="Give TRAWL_QUILT_TOKEN a new API key or refresh token: the catalog shows a refresh token at /code",
        command=_LOGIN,
        details={"cause": "The registry refuses the token: it has expired, was revoked, or was used elsewhere"},
    )


def not_permitted(bucket: str | None = None) -> Authorization:
    """Return the failure of missing permissions, for one bucket or for the whole catalog."""
    where = "this catalog" if bucket is None else f"the bucket {bucket}"
    return Authorization(
        f"No permission to search {where}",
        action="Ask an administrator of the catalog for a role that may read the bucket, or search another one",
        details={"cause": "The registry knows the token's user and says no"},
    )


def unknown_bucket(bucket: str, existing: list[str]) -> NotFound:
    """Return the failure of an unknown bucket, with the closest existing ones."""
    return NotFound(
        f"The catalog has no bucket {bucket}",
        action="Use one of the buckets in details.closest, or leave bucket out to search all",
        details={
            "closest": closest(bucket, existing) or existing[:5],
            "cause": "The catalog does not list this bucket",
        },
    )


def unsupported(problem: str, action: str) -> NotApplicable:
    """Return the failure of a search that this catalog's backend does not support."""
    return NotApplicable(problem, action=action, details={"cause": "The catalog's search has no such condition"})


def invalid(problem: str, action: str, details: Mapping[str, Any] | None = None) -> Invalid:
    """Return the failure of an invalid search."""
    return Invalid(problem, action=action, details=details)


def invalid_query(errors: list[dict[str, str]] | None = None) -> Invalid:
    """Return the failure of a query that the catalog rejects, without its own message, which may repeat the query."""
    return Invalid(
        "Invalid query",
        action='Write plain words, or put text with signs like : / ( ) [ ] into quotes: "data/2025/a.csv"',
        details={"cause": "The catalog cannot read the query or its filters", "errors": errors or []},
    )


def attempt_failure(reply: Reply) -> AttemptFailed:
    """Return the failure for a response that is not a success, by its status alone."""
    if (rejection := _rejection(reply.status)) is not None:
        return AttemptFailed(rejection)
    wait = retry_after(reply.headers)
    match reply.status:
        case 429:
            busy = RateLimited("The Quilt catalog is busy", retry_after=_BUSY_SECONDS if wait is None else wait)
            return AttemptFailed(busy, retry=True, wait=wait)
        case 502 | 503:
            unavailable = Unavailable(ERROR_MESSAGES.unavailable, action="Try again in a minute")
            return AttemptFailed(unavailable, retry=True, upstream_broke=True, wait=wait)
        case 504:
            return AttemptFailed(ERROR_MESSAGES.too_slow(), upstream_broke=True)
        case status:
            return AttemptFailed(CatalogFailed(), upstream_broke=status >= 500)


def _rejection(status: int) -> PlatformError | None:
    """Return the failure where the request itself is at fault; None for every other status."""
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


def with_context(error: PlatformError, context: Mapping[str, Any]) -> PlatformError:
    """Add the cause, the state of the catalog and the alternative to a failure, and return it."""
    error.details = {"cause": _CAUSES.get(error.category, error.message), **error.details, **context}
    error.alternatives = LISTING_ALTERNATIVE | error.alternatives
    return error
