"""Bulk writes with retries. Every item carries its own version, so sending an item twice is safe."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson
from opensearchpy import OpenSearch
from opensearchpy.exceptions import TransportError

from indexer.engines.opensearch.connection import SHARD_TIMEOUT
from indexer.engines.opensearch.failures import (
    MISSING_INDEX,
    error_types,
    failure_of_exception,
    failure_of_response,
)
from indexer.engines.opensearch.retries import RETRYABLE_STATUSES, attempts, is_retryable
from indexer.errors import MissingIndex
from indexer.tenancy import DocumentId, PhysicalName

_MAX_REQUEST_BYTES: Final = 10_000_000
_PARAMS: Final = {**SHARD_TIMEOUT, "require_alias": "true"}
_PROBE: Final = orjson.dumps({"update": {"_id": "guard"}}) + b'\n{"doc":{}}\n'
"""An update of a document that never exists. Without it, a bulk of versioned deletes would create a missing index."""


@dataclass(frozen=True, slots=True)
class Change:
    """One document to write, or to delete if it has no source."""

    id: DocumentId
    revision: int
    source: bytes | None

    def encode(self) -> bytes:
        options = {"_id": self.id, "version": self.revision}
        if self.source is None:
            return orjson.dumps({"delete": {**options, "version_type": "external_gte"}}) + b"\n"
        return orjson.dumps({"index": {**options, "version_type": "external"}}) + b"\n" + self.source + b"\n"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The cluster's response to one change; `retried` if an earlier attempt may already have applied it."""

    change: Change
    item: dict[str, Any]
    retried: bool

    @property
    def conflict(self) -> bool:
        return bool(self.item["status"] == 409)


def write_alias(physical: PhysicalName) -> str:
    """Return the alias that writes use. A write with `require_alias` never creates a missing index."""
    return f"{physical}.w"


def send(client: OpenSearch, physical: PhysicalName, changes: Sequence[Change]) -> Iterator[Outcome]:
    """Apply all changes in requests of bounded size; yield one outcome each, in order."""
    batch: list[Change] = []
    size = 0
    for change in changes:
        length = len(change.source or b"")
        if batch and size + length > _MAX_REQUEST_BYTES:
            yield from _send_batch(client, physical, batch)
            batch, size = [], 0
        batch.append(change)
        size += length
    if batch:
        yield from _send_batch(client, physical, batch)


def _send_batch(client: OpenSearch, physical: PhysicalName, changes: Sequence[Change]) -> list[Outcome]:
    """Send the batch; retry the whole request on a connection error, and single items that the cluster rejected."""
    outcomes: dict[int, Outcome] = {}
    pending = list(range(len(changes)))
    retried = False
    for last in attempts():
        try:
            items = _send_request(client, physical, [changes[at] for at in pending])
        except TransportError as error:
            if last or not is_retryable(error):
                raise failure_of_exception(error) from None
            retried = True
            continue
        for at, item in zip(pending, items, strict=False):
            if item["status"] not in RETRYABLE_STATUSES:
                outcomes[at] = Outcome(changes[at], item, retried)
            elif last:
                raise failure_of_response(item["status"], item)
        pending = [at for at in pending if at not in outcomes]
        if not pending:
            return [outcomes[at] for at in range(len(changes))]
    raise AssertionError("there is always a last attempt")


def _send_request(client: OpenSearch, physical: PhysicalName, changes: Sequence[Change]) -> list[dict[str, Any]]:
    """Return the response item of each change, and of the probe at the end if there is one."""
    body = b"".join(change.encode() for change in changes)
    if any(change.source is None for change in changes):
        body += _PROBE
    response = client.bulk(index=write_alias(physical), body=body, params=_PARAMS)
    items = [next(iter(item.values())) for item in response["items"]]
    if any(MISSING_INDEX in error_types(item.get("error")) for item in items):
        raise MissingIndex
    return items
