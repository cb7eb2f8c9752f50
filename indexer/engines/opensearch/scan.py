"""Scans all documents of one point in time, in batches of bounded size."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from elasticsearch_dsl import Search
from opensearchpy import OpenSearch
from opensearchpy.exceptions import TransportError

from indexer.engines.opensearch.documents import document_of
from indexer.engines.opensearch.failures import raise_if_partial, translate_errors
from indexer.engines.opensearch.search.views import KEEP_ALIVE, pit
from indexer.engines.port import Document, Json, Target

_BATCH_SIZE: Final = 500
_BATCH_CHARACTERS: Final = 8_000_000
_PAGE: Final = Search().sort("_shard_doc").extra(version=True, docvalue_fields=["size"], track_total_hits=False)


def scan(client: OpenSearch, target: Target, *, text: bool) -> Iterator[list[Document]]:
    """Yield batches of documents: complete, or with `text=False` only ids and revisions.

    Each page is read first without `_source`, to learn the sizes of its documents and bound the size of each response.
    """
    with translate_errors():
        response = client.create_pit(index=target.physical, params={"keep_alive": KEEP_ALIVE})
    point_in_time = response["pit_id"]
    try:
        after: list[Json] | None = None
        while page := _read_page(client, point_in_time, after, _BATCH_SIZE, source=False):
            if not text:
                yield [document_of(item, target.definition) for item in page]
            else:
                for start, count in _bounded_runs(page):
                    position = page[start - 1]["sort"] if start else after
                    items = _read_page(client, point_in_time, position, count, source=True)
                    yield [document_of(item, target.definition) for item in items]
            after = page[-1]["sort"]
    finally:
        # An error here must not hide the reason why the scan ended; the point in time expires anyway.
        with suppress(TransportError):
            client.delete_pit(body={"pit_id": [point_in_time]})


def _read_page(
    client: OpenSearch, point_in_time: str, after: list[Json] | None, size: int, *, source: bool
) -> list[dict[str, Any]]:
    search = _PAGE.source(source).extra(pit=pit(point_in_time), size=size)
    if after is not None:
        search = search.extra(search_after=after)
    with translate_errors():
        response = client.search(body=search.to_dict())
    raise_if_partial(response)
    items: list[dict[str, Any]] = response["hits"]["hits"]
    return items


def _bounded_runs(page: list[dict[str, Any]]) -> Iterator[tuple[int, int]]:
    """Split the page into runs of at most `_BATCH_CHARACTERS`; yield the start and the length of each."""
    start, characters = 0, 0
    for at, item in enumerate(page):
        characters += item["fields"]["size"][0]
        if at > start and characters > _BATCH_CHARACTERS:
            yield start, at - start
            start, characters = at, item["fields"]["size"][0]
    yield start, len(page) - start
