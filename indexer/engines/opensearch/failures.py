"""Translates client exceptions and error responses into `PlatformError`s, never with text from a request."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from opensearchpy.exceptions import ConnectionError as Unreachable
from opensearchpy.exceptions import ConnectionTimeout, SerializationError, TransportError

from indexer.errors import ExpiredView, Invalid, MissingIndex, PlatformError, TimedOut, Unavailable
from indexer.open_files import is_out_of_files, too_many_files

MISSING_INDEX: Final = "index_not_found_exception"
_EXPIRED_VIEW: Final = frozenset({"search_context_missing_exception", "no_such_search_context_exception"})
_TOO_COMPLEX: Final = frozenset({"too_many_clauses", "too_complex_to_determinize_exception", "too_many_nested_clauses"})
_MAX_CAUSES: Final = 8
_START_CLUSTER: Final = "Start OpenSearch or correct TRAWL_OPENSEARCH_URL; `trawl doctor` says more"
_CHECK_CLUSTER: Final = "Look at the cluster's health and logs; `trawl doctor` says more"


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise the client's exceptions as `PlatformError` or `MissingIndex`. Usable around `await` too."""
    try:
        yield
    except (TransportError, SerializationError) as error:
        raise failure_of_exception(error) from None  # the cause quotes the response, which can contain the query


def failure_of_exception(error: TransportError | SerializationError) -> PlatformError | MissingIndex:
    """Return the failure to raise for an exception of the client."""
    if isinstance(error, SerializationError):
        return Unavailable("OpenSearch gave an answer that is no JSON", action=_CHECK_CLUSTER)
    if isinstance(error, ConnectionTimeout):
        return timed_out()
    if isinstance(error, Unreachable):
        if isinstance(error.info, BaseException) and is_out_of_files(error.info):
            return too_many_files()
        return Unavailable("OpenSearch cannot be reached", action=_START_CLUSTER)
    status = error.status_code if isinstance(error.status_code, int) else 0
    return failure_of_response(status, error.info if isinstance(error.info, dict) else {})


def failure_of_response(status: int, body: Mapping[str, Any]) -> PlatformError | MissingIndex:
    """Return the failure to raise for a response, or one item of a response, with this status and body."""
    types = error_types(body.get("error"))
    if MISSING_INDEX in types:
        return MissingIndex()
    if types & _EXPIRED_VIEW:
        return ExpiredView()
    if types & _TOO_COMPLEX:
        return Invalid("The search has too many clauses", action="Use fewer words, prefixes or filters")
    return _unavailable(status, types)


def _unavailable(status: int, types: set[str]) -> Unavailable:
    if "cluster_block_exception" in types:
        return Unavailable("OpenSearch does not accept writes now", action=f"Look for a full disk. {_CHECK_CLUSTER}")
    if status in {401, 403}:
        return Unavailable(
            "OpenSearch refused the credentials",
            action="Correct TRAWL_OPENSEARCH_USER and TRAWL_OPENSEARCH_PASSWORD, or that user's permissions",
        )
    if "circuit_breaking_exception" in types or status == 429:
        return Unavailable("OpenSearch is too busy", action="Try again in a moment")
    return Unavailable(
        "OpenSearch could not answer", action=_CHECK_CLUSTER, details={"status": status, "types": sorted(types)}
    )


def response_error_types(error: TransportError) -> set[str]:
    """Return the error types in the response that the client raised."""
    return error_types(error.info.get("error")) if isinstance(error.info, dict) else set()


def error_types(error: Any) -> set[str]:
    """Return the types of an error object and of all its causes."""
    if not isinstance(error, Mapping):
        return set()
    types = {error["type"]} if isinstance(error.get("type"), str) else set()
    causes = [error.get("caused_by"), *_list_at(error, "root_cause")]
    causes += [item.get("reason") for item in _list_at(error, "failed_shards") if isinstance(item, Mapping)]
    for cause in causes:
        types |= error_types(cause)
    return types


def timed_out() -> TimedOut:
    """Return the failure for a response that did not arrive before the deadline."""
    return TimedOut(
        "OpenSearch did not answer in time",
        action="Ask for less (fewer words, results or facets), or raise TRAWL_SEARCH_TIMEOUT",
    )


def raise_if_partial(response: Mapping[str, Any]) -> None:
    """Raise if the search timed out or a shard failed."""
    if response.get("timed_out"):
        raise timed_out()
    shards = response.get("_shards", {})
    if shards.get("failed"):
        failures = shards.get("failures") or [{}]
        raise failure_of_response(503, {"error": failures[0].get("reason")})


def _list_at(error: Mapping[str, Any], name: str) -> list[Any]:
    value = error.get(name)
    return value[:_MAX_CAUSES] if isinstance(value, list) else []
