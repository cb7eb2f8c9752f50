"""What all requests for records have in common: retries, revisions, and the record in a response."""

from collections.abc import Callable, Mapping
from typing import Any

from opensearchpy.exceptions import ConflictError, NotFoundError, TransportError

from indexer.engines.opensearch.connection import SHARD_TIMEOUT
from indexer.engines.opensearch.retries import attempts, is_retryable
from indexer.engines.record_port import Record


def read_with_retry(request: Callable[[], Any]) -> Any:
    """Send a read, with retries: a new index may not have a started shard yet."""
    for last in attempts():
        try:
            return request()
        except TransportError as error:
            if last or not is_retryable(error):
                raise
    raise AssertionError("there is always a last attempt")


def write_with_retry(request: Callable[..., Any], params: Mapping[str, Any]) -> tuple[Any, bool]:
    """Return the response, None on a conflict, and whether an earlier attempt may already have applied the change."""
    retried = False
    for last in attempts():
        try:
            return request(params={**params, **SHARD_TIMEOUT}), retried
        except (ConflictError, NotFoundError):
            return None, retried
        except TransportError as error:
            if last or not is_retryable(error):
                raise
        retried = True
    raise AssertionError("there is always a last attempt")


def version_condition(revision: str) -> dict[str, int]:
    """Return the condition that the record has this revision."""
    sequence, _, term = revision.partition(".")
    return {"if_seq_no": int(sequence), "if_primary_term": int(term)}


def revision_of(response: Mapping[str, Any]) -> str:
    """Return the revision of a record that was read or written."""
    return f"{response['_seq_no']}.{response['_primary_term']}"


def record_of(response: Mapping[str, Any]) -> Record:
    """Return the record that was read."""
    return Record(response["_source"]["key"], response["_source"]["value"], revision_of(response))
