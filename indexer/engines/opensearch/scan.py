"""Reading all documents of an index as they were at one moment, in batches of bounded size."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from opensearchpy import OpenSearch
from opensearchpy.exceptions import TransportError

from indexer.engines.opensearch.documents import document_of
from indexer.engines.opensearch.failures import raise_if_partial, translated
from indexer.engines.opensearch.search.views import KEEP_ALIVE
from indexer.engines.port import Document, Json, Target

_BATCH: Final = 500
_BATCH_CHARACTERS: Final = 8_000_000


def scan(client: OpenSearch, target: Target, *, text: bool) -> Iterator[list[Document]]:
    """Yield the documents, whole or (`text=False`) as ids and revisions."""
    with translated():
        created = client.create_pit(index=target.physical, params={"keep_alive": KEEP_ALIVE})
    point_in_time = created["pit_id"]
    try:
        after: list[Json] | None = None
        while listed := _page(client, point_in_time, after, _BATCH, source=False):
            if not text:
                yield [document_of(item, target.definition) for item in listed]
            else:
                for start, count in _bounded(listed):
                    position = listed[start - 1]["sort"] if start else after
                    items = _page(client, point_in_time, position, count, source=True)
                    yield [document_of(item, target.definition) for item in items]
            after = listed[-1]["sort"]
    finally:
        # It expires by itself, and must not hide why the scan ended.
        with suppress(TransportError):
            client.delete_pit(body={"pit_id": [point_in_time]})


def _page(
    client: OpenSearch, point_in_time: str, after: list[Json] | None, size: int, *, source: bool
) -> list[dict[str, Any]]:
    body: dict[str, Any] = {
        "pit": {"id": point_in_time, "keep_alive": KEEP_ALIVE},
        "sort": [{"_shard_doc": "asc"}],
        "size": size,
        "version": True,
        "_source": source,
        "docvalue_fields": ["size"],
        "track_total_hits": False,
    }
    if after is not None:
        body["search_after"] = after
    with translated():
        answer = client.search(body=body)
    raise_if_partial(answer)
    items: list[dict[str, Any]] = answer["hits"]["hits"]
    return items


def _bounded(listed: list[dict[str, Any]]) -> Iterator[tuple[int, int]]:
    """Yield where each run of documents starts, and of how many it is, so that none is too big for one answer."""
    start, characters = 0, 0
    for at, item in enumerate(listed):
        characters += item["fields"]["size"][0]
        if at > start and characters > _BATCH_CHARACTERS:
            yield start, at - start
            start, characters = at, item["fields"]["size"][0]
    yield start, len(listed) - start
