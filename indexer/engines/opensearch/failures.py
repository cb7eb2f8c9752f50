"""What goes wrong between here and the cluster, in the platform's own words; never with the text of a request."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from opensearchpy.exceptions import ConnectionError as Unreachable
from opensearchpy.exceptions import ConnectionTimeout, SerializationError, TransportError

from indexer.errors import ExpiredView, Invalid, MissingIndex, PlatformError, TimedOut, Unavailable

MISSING_INDEX: Final = "index_not_found_exception"
_EXPIRED: Final = frozenset({"search_context_missing_exception", "no_such_search_context_exception"})
_TOO_COMPLEX: Final = frozenset({"too_many_clauses", "too_complex_to_determinize_exception", "too_many_nested_clauses"})
_CAUSES: Final = 8
_START: Final = "Start OpenSearch or correct TRAWL_OPENSEARCH_URL; `trawl doctor` says more"
_LOOK: Final = "Look at the cluster's health and logs; `trawl doctor` says more"


class TooManyClauses(Invalid):
    """A query is more than the cluster takes, maybe only for the words that its fuzzy words stand for."""


@contextmanager
def translated() -> Iterator[None]:
    """Turn the client's exceptions into the platform's; holds in coroutines too."""
    try:
        yield
    except (TransportError, SerializationError) as error:
        raise failure_of(error) from None  # the cause's text holds the cluster's answer, and with it the query


def failure_of(error: TransportError | SerializationError) -> PlatformError | MissingIndex:
    """Return what an exception of the client means to a caller."""
    if isinstance(error, SerializationError):
        return Unavailable("OpenSearch gave an answer that is no JSON", action=_LOOK)
    if isinstance(error, ConnectionTimeout):
        return timed_out()
    if isinstance(error, Unreachable):
        return Unavailable("OpenSearch cannot be reached", action=_START)
    status = error.status_code if isinstance(error.status_code, int) else 0
    return failure_for(status, error.info if isinstance(error.info, dict) else {})


def failure_for(status: int, body: Mapping[str, Any]) -> PlatformError | MissingIndex:
    """Return what an answer with this status and body (or one of its items) means."""
    types = error_types(body.get("error"))
    if MISSING_INDEX in types:
        return MissingIndex()
    if types & _EXPIRED:
        return ExpiredView()
    if types & _TOO_COMPLEX:
        return TooManyClauses("The search has too many clauses", action="Use fewer words, prefixes or filters")
    return _unavailable(status, types)


def _unavailable(status: int, types: set[str]) -> Unavailable:
    if "cluster_block_exception" in types:
        return Unavailable("OpenSearch does not accept writes now", action=f"Look for a full disk. {_LOOK}")
    if status in {401, 403}:
        return Unavailable(
            "OpenSearch refused the credentials",
            action="Correct TRAWL_OPENSEARCH_USER and TRAWL_OPENSEARCH_PASSWORD, or that user's permissions",
        )
    if "circuit_breaking_exception" in types or status == 429:
        return Unavailable("OpenSearch is too busy", action="Try again in a moment")
    return Unavailable("OpenSearch could not answer", action=_LOOK, details={"status": status, "types": sorted(types)})


def types_of(error: TransportError) -> set[str]:
    """Return the types of errors in the answer that the client raised."""
    return error_types(error.info.get("error")) if isinstance(error.info, dict) else set()


def error_types(error: Any) -> set[str]:
    """Return the types of an error and of all its causes."""
    if not isinstance(error, Mapping):
        return set()
    types = {error["type"]} if isinstance(error.get("type"), str) else set()
    causes = [error.get("caused_by"), *_listed(error, "root_cause")]
    causes += [item.get("reason") for item in _listed(error, "failed_shards") if isinstance(item, Mapping)]
    for cause in causes:
        types |= error_types(cause)
    return types


def timed_out() -> TimedOut:
    """Return the failure for an answer that did not come in time."""
    return TimedOut(
        "OpenSearch did not answer in time",
        action="Ask for less (fewer words, results or facets), or raise TRAWL_SEARCH_TIMEOUT",
    )


def raise_if_partial(answer: Mapping[str, Any]) -> None:
    """Raise unless every shard took part in this answer, in time."""
    if answer.get("timed_out"):
        raise timed_out()
    shards = answer.get("_shards", {})
    if shards.get("failed"):
        failures = shards.get("failures") or [{}]
        raise failure_for(503, {"error": failures[0].get("reason")})


def _listed(error: Mapping[str, Any], name: str) -> list[Any]:
    value = error.get(name)
    return value[:_CAUSES] if isinstance(value, list) else []
