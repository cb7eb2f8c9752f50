"""Reads and changes records of one index, any number of them in one request, with an outcome for each."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final
from uuid import uuid4

import orjson
from opensearchpy import OpenSearch
from opensearchpy.exceptions import TransportError

from indexer.engines.opensearch.bulk_request import ItemResponse, send_items
from indexer.engines.opensearch.connection import SHARD_TIMEOUT
from indexer.engines.opensearch.failures import MISSING_INDEX, error_types, failure_of_response
from indexer.engines.opensearch.retries import attempts, is_retryable
from indexer.engines.record_port import Change, Record

_KEYS_PER_REQUEST: Final = 1_000
_CONFLICTS: Final = frozenset({404, 409})


def read_records(client: OpenSearch, index: str, keys: Sequence[str]) -> list[Record | None]:
    """Return the records in the order of the keys."""
    return [record_of(item) if item else None for item in _read_items(client, index, keys)]


def write_records(client: OpenSearch, index: str, changes: Sequence[Change]) -> list[Record | None]:
    """Write each record that has the expected revision; return None for those that do not."""
    attempt = uuid4().hex
    responses = _send(client, index, [_encode_change(change, attempt) for change in changes])
    written = [
        None if _is_conflict(response) else Record(change.key, change.value, _revision_of(response.item))
        for change, response in zip(changes, responses, strict=True)
    ]
    # A retried change may conflict with its own earlier attempt, whose response was lost.
    doubtful = [at for at, response in enumerate(responses) if _is_conflict(response) and response.retried]
    for at, item in zip(doubtful, _read_items(client, index, [changes[at].key for at in doubtful]), strict=True):
        if item and item["_source"]["attempt"] == attempt:
            written[at] = record_of(item)
    return written


def delete_records(client: OpenSearch, index: str, records: Sequence[Record]) -> int:
    """Delete each record that has its revision still; return how many were deleted."""
    responses = _send(client, index, [_encode_deletion(record) for record in records])
    conflicts = [
        (record, response) for record, response in zip(records, responses, strict=True) if _is_conflict(response)
    ]
    # A retried deletion finds nothing if its own earlier attempt, whose response was lost, deleted the record.
    doubtful = [record.key for record, response in conflicts if response.retried]
    return len(records) - len(conflicts) + _read_items(client, index, doubtful).count(None)


def read_with_retry(request: Callable[[], Any]) -> Any:
    """Send a read, with retries: a new index may not have a started shard yet."""
    for last in attempts():
        try:
            return request()
        except TransportError as error:
            if last or not is_retryable(error):
                raise
    raise AssertionError("there is always a last attempt")


def record_of(response: Mapping[str, Any]) -> Record:
    """Return the record that was read."""
    return Record(response["_source"]["key"], response["_source"]["value"], _revision_of(response))


def _send(client: OpenSearch, index: str, items: Sequence[bytes]) -> list[ItemResponse]:
    """Send changes of records; return for each a success or a conflict."""

    def send(lines: Sequence[bytes]) -> list[dict[str, Any]]:
        response = client.bulk(index=index, body=b"".join(lines), params=SHARD_TIMEOUT)
        return [next(iter(item.values())) for item in response["items"]]

    responses = list(send_items(send, items))
    for response in responses:
        if "error" in response.item and not _is_conflict(response):
            raise failure_of_response(response.item["status"], response.item)
    return responses


def _is_conflict(response: ItemResponse) -> bool:
    return response.item["status"] in _CONFLICTS


def _read_items(client: OpenSearch, index: str, keys: Sequence[str]) -> list[dict[str, Any] | None]:
    batches = [keys[start : start + _KEYS_PER_REQUEST] for start in range(0, len(keys), _KEYS_PER_REQUEST)]
    return [
        item if item.get("found") else None
        for batch in batches
        for item in read_with_retry(partial(_multi_get, client, index, batch))
    ]


def _multi_get(client: OpenSearch, index: str, keys: Sequence[str]) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = client.mget(index=index, body={"ids": list(keys)})["docs"]
    for item in items:
        if "error" in item and MISSING_INDEX not in error_types(item["error"]):
            raise TransportError(503, "a shard did not answer", item)
    return items


def _encode_change(change: Change, attempt: str) -> bytes:
    action: dict[str, Any] = {"create": {"_id": change.key}}
    if change.revision is not None:
        action = {"index": {"_id": change.key, **_version_condition(change.revision)}}
    source = {"key": change.key, "value": dict(change.value), "attempt": attempt}
    return b"%b\n%b\n" % (orjson.dumps(action), orjson.dumps(source))


def _encode_deletion(record: Record) -> bytes:
    return orjson.dumps({"delete": {"_id": record.key, **_version_condition(record.revision)}}) + b"\n"


def _version_condition(revision: str) -> dict[str, int]:
    """Return the condition that the record has this revision."""
    sequence, _, term = revision.partition(".")
    return {"if_seq_no": int(sequence), "if_primary_term": int(term)}


def _revision_of(response: Mapping[str, Any]) -> str:
    """Return the revision of a record that was read or written."""
    return f"{response['_seq_no']}.{response['_primary_term']}"
