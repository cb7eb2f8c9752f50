"""Bulk requests of bounded size, with retries of a whole request and of single items that the cluster rejected.

Sending an item twice must be safe: each carries the version that it expects or sets.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from opensearchpy.exceptions import TransportError

from indexer.engines.opensearch.failures import failure_of_exception, failure_of_response
from indexer.engines.opensearch.retries import RETRYABLE_STATUSES, attempts, is_retryable

_MAX_REQUEST_BYTES: Final = 10_000_000

SendItems = Callable[[Sequence[bytes]], Sequence[dict[str, Any]]]
"""Sends the lines of some items in one request, and returns the response to each in order."""


@dataclass(frozen=True, slots=True)
class ItemResponse:
    """The cluster's response to one item; `retried` if an earlier attempt may already have applied it."""

    item: dict[str, Any]
    retried: bool

    @property
    def conflict(self) -> bool:
        return bool(self.item["status"] == 409)


def send_items(send: SendItems, items: Sequence[bytes]) -> Iterator[ItemResponse]:
    """Send all items in requests of bounded size; yield one response each, in order."""
    batch: list[bytes] = []
    size = 0
    for item in items:
        if batch and size + len(item) > _MAX_REQUEST_BYTES:
            yield from _send_batch(send, batch)
            batch, size = [], 0
        batch.append(item)
        size += len(item)
    if batch:
        yield from _send_batch(send, batch)


def _send_batch(send: SendItems, items: Sequence[bytes]) -> list[ItemResponse]:
    responses: dict[int, ItemResponse] = {}
    pending = list(range(len(items)))
    retried = False
    for last in attempts():
        try:
            received = send([items[at] for at in pending])
        except TransportError as error:
            if last or not is_retryable(error):
                raise failure_of_exception(error) from None
            retried = True
            continue
        for at, item in zip(pending, received, strict=False):
            if item["status"] not in RETRYABLE_STATUSES:
                responses[at] = ItemResponse(item, retried)
            elif last:
                raise failure_of_response(item["status"], item)
        pending = [at for at in pending if at not in responses]
        if not pending:
            return [responses[at] for at in range(len(items))]
    raise AssertionError("there is always a last attempt")
