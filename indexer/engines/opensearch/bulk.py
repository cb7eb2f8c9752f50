"""Bulk writes of documents. Every item carries its own version, so sending an item twice is safe."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson
from opensearchpy import OpenSearch

from indexer.engines.opensearch.bulk_request import ItemResponse, send_items
from indexer.engines.opensearch.connection import SHARD_TIMEOUT
from indexer.engines.opensearch.failures import MISSING_INDEX, error_types
from indexer.errors import MissingIndex
from indexer.tenancy import DocumentId, PhysicalName

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
    """A change and the cluster's response to it."""

    change: Change
    response: ItemResponse


def write_alias(physical: PhysicalName) -> str:
    """Return the alias that writes use. A write with `require_alias` never creates a missing index."""
    return f"{physical}.w"


def send(client: OpenSearch, physical: PhysicalName, changes: Sequence[Change]) -> Iterator[Outcome]:
    """Apply all changes in requests of bounded size; yield one outcome each, in order."""
    probe = _PROBE if any(change.source is None for change in changes) else b""

    def send_request(lines: Sequence[bytes]) -> list[dict[str, Any]]:
        """Return the response item of each change, and of the probe at the end if there is one."""
        response = client.bulk(index=write_alias(physical), body=b"".join((*lines, probe)), params=_PARAMS)
        items = [next(iter(item.values())) for item in response["items"]]
        if any(MISSING_INDEX in error_types(item.get("error")) for item in items):
            raise MissingIndex
        return items

    responses = send_items(send_request, [change.encode() for change in changes])
    for change, response in zip(changes, responses, strict=True):
        yield Outcome(change, response)
