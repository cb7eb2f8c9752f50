"""Many small changes in few requests. Every one carries its own version, so sending one twice does no harm."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson
from opensearchpy import OpenSearch
from opensearchpy.exceptions import TransportError

from indexer.engines.opensearch.connection import SHARD_WAIT
from indexer.engines.opensearch.failures import MISSING_INDEX, error_types, failure_for, failure_of
from indexer.engines.opensearch.retries import BUSY, attempts, worth_repeating
from indexer.errors import MissingIndex
from indexer.tenancy import DocumentId, PhysicalName

_REQUEST_BYTES: Final = 10_000_000
_PARAMS: Final = {**SHARD_WAIT, "require_alias": "true"}
_GUARD: Final = orjson.dumps({"update": {"_id": "guard"}}) + b'\n{"doc":{}}\n'
"""An update of a document that never exists: a versioned delete alone would make a missing index."""


@dataclass(frozen=True, slots=True)
class Change:
    """One document to write, or to delete where there is no source."""

    id: DocumentId
    revision: int
    source: bytes | None

    def encoded(self) -> bytes:
        options = {"_id": self.id, "version": self.revision, "version_type": "external"}
        action = "delete" if self.source is None else "index"
        return orjson.dumps({action: options}) + b"\n" + (b"" if self.source is None else self.source + b"\n")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the cluster says about one change; `repeated` if an earlier attempt may have made it already."""

    change: Change
    item: dict[str, Any]
    repeated: bool

    @property
    def conflict(self) -> bool:
        return bool(self.item["status"] == 409)


def write_alias(physical: PhysicalName) -> str:
    """Return the alias that writes go through: a write to an alias never makes a missing index."""
    return f"{physical}.w"


def send(client: OpenSearch, physical: PhysicalName, changes: Sequence[Change]) -> Iterator[Outcome]:
    """Make all changes, in requests of bounded size; yield one outcome for each, in their order."""
    batch: list[Change] = []
    size = 0
    for change in changes:
        length = len(change.source or b"")
        if batch and size + length > _REQUEST_BYTES:
            yield from _send(client, physical, batch)
            batch, size = [], 0
        batch.append(change)
        size += length
    if batch:
        yield from _send(client, physical, batch)


def _send(client: OpenSearch, physical: PhysicalName, changes: Sequence[Change]) -> list[Outcome]:
    outcomes: dict[int, Outcome] = {}
    pending = list(range(len(changes)))
    repeated = False
    for last in attempts():
        try:
            items = _request(client, physical, [changes[at] for at in pending])
        except TransportError as error:
            if last or not worth_repeating(error):
                raise failure_of(error) from None
            repeated = True
            continue
        for at, item in zip(pending, items, strict=False):
            if item["status"] not in BUSY:
                outcomes[at] = Outcome(changes[at], item, repeated)
            elif last:
                raise failure_for(item["status"], item)
        pending = [at for at in pending if at not in outcomes]
        if not pending:
            return [outcomes[at] for at in range(len(changes))]
    raise AssertionError("there is always a last attempt")


def _request(client: OpenSearch, physical: PhysicalName, changes: Sequence[Change]) -> list[dict[str, Any]]:
    """Return what became of each change (and of the guard, at the end)."""
    body = b"".join(change.encoded() for change in changes)
    if any(change.source is None for change in changes):
        body += _GUARD
    answer = client.bulk(index=write_alias(physical), body=body, params=_PARAMS)
    items = [next(iter(item.values())) for item in answer["items"]]
    if any(MISSING_INDEX in error_types(item.get("error")) for item in items):
        raise MissingIndex
    return items
