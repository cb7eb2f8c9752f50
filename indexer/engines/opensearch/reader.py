"""Reading from the cluster, on the event loop."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

from opensearchpy import AsyncOpenSearch
from opensearchpy.exceptions import TransportError

from indexer.engines.opensearch.documents import asked_for, documents_of
from indexer.engines.opensearch.failures import TooManyClauses, failure_for, raise_if_partial, timed_out, translated
from indexer.engines.opensearch.retries import READ_PAUSES
from indexer.engines.opensearch.search.compile import with_all_expansions
from indexer.engines.opensearch.search.facets import facets_of, key_aggregation, keys_of
from indexer.engines.opensearch.search.highlights import highlights_of
from indexer.engines.opensearch.search.hits import hit_of
from indexer.engines.opensearch.search.request import (
    Body,
    gathering_body,
    marking_body,
    page_body,
    search_body,
    undeclared,
)
from indexer.engines.opensearch.search.views import KEEP_ALIVE, point_in_time_of, view_of
from indexer.engines.port import Document, Hit, KeyCount, SearchRequest, SearchResponse, Size, Target
from indexer.engines.sorting import GATHERED, order, too_many
from indexer.errors import ExpiredView, MissingIndex, Unavailable
from indexer.tenancy import DocumentId, PhysicalName

HEALTH_SECONDS: Final = 3
_WHOLE: Final = {"allow_partial_search_results": "false"}


class OpenSearchReader:
    """`port.Reader` over one client; an answer that is late or lacks a shard is a failure."""

    def __init__(self, client: AsyncOpenSearch, search_timeout: float) -> None:
        self._client = client
        self._seconds = search_timeout

    async def search(self, target: Target, wanted: SearchRequest) -> SearchResponse:
        if (field := undeclared(wanted.sort, target.definition)) is not None:
            return await self._gathered(target, wanted, field)
        answer = await self._ask(target, wanted, search_body(target, wanted))
        found = answer["hits"]
        hits = [hit_of(item, item.get("sort", [])) for item in found["hits"]]
        marked = await self._marked(target, wanted, hits)
        return SearchResponse(marked, found["total"]["value"], facets_of(answer, wanted.facets))

    async def open_view(self, target: Target) -> str:
        with translated():
            answer = await self._client.create_pit(
                index=target.physical, params={"keep_alive": KEEP_ALIVE, "allow_partial_pit_creation": "false"}
            )
        return view_of(target.physical, answer["pit_id"])

    async def close_view(self, view: str) -> None:
        with suppress(TransportError):  # it expires by itself
            await self._client.delete_pit(body={"pit_id": [point_in_time_of(view)]})

    async def get(self, target: Target, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        if not ids:
            return []
        with translated():
            answer = await self._client.mget(
                index=target.physical, body={"ids": list(ids)}, params={"_source": asked_for(text=text)}
            )
        return documents_of(answer, target.definition)

    async def keys(self, target: Target) -> list[KeyCount]:
        return keys_of(await self._search({"size": 0, "aggs": key_aggregation()}, target.physical))

    async def size(self, target: Target) -> Size:
        with translated():
            answer = await self._client.indices.stats(index=target.physical, metric="docs,store")
        raise_if_partial(answer)
        primaries = answer["_all"]["primaries"]
        if "docs" not in primaries:
            raise failure_for(503, {})
        return Size(primaries["docs"]["count"], primaries["store"]["size_in_bytes"])

    async def health(self) -> None:
        with translated():
            await self._client.info(params={"request_timeout": HEALTH_SECONDS})

    async def close(self) -> None:
        await self._client.close()

    async def _gathered(self, target: Target, wanted: SearchRequest, field: str) -> SearchResponse:
        """Sort here, by values that are no fields of the cluster's."""
        answer = await self._search(gathering_body(wanted), target.physical)
        found = answer["hits"]
        if found["total"]["value"] > GATHERED:
            raise too_many(field)
        values = (item["fields"] for item in found["hits"])
        rows = [(DocumentId(value["id"][0]), value.get("kv", ())) for value in values]
        placed = order(rows, wanted.sort, wanted.after)[: wanted.size]
        page = await self._search(page_body(wanted, [row.id for row in placed]), target.physical)
        items = {item["_id"]: item for item in page["hits"]["hits"]}
        # A document that was deleted between the two requests is left out.
        hits = [hit_of(items[row.id], row.position) for row in placed if row.id in items]
        marked = await self._marked(target, wanted, hits)
        return SearchResponse(marked, found["total"]["value"], facets_of(answer, wanted.facets))

    async def _marked(self, target: Target, wanted: SearchRequest, hits: list[Hit]) -> list[Hit]:
        """Look a second time for something to mark in the hits that have nothing."""
        body = marking_body(target, wanted, [hit.id for hit in hits if not hit.highlights])
        if body is None:
            return hits
        answer = await self._ask(target, wanted, body)
        found = {item["_id"]: highlights_of(item) for item in answer["hits"]["hits"]}
        return [replace(hit, highlights=found[hit.id]) if hit.id in found else hit for hit in hits]

    async def _ask(self, target: Target, wanted: SearchRequest, body: Body) -> dict[str, Any]:
        if wanted.view is None:
            return await self._search(body, target.physical)
        try:
            return await self._search(body, None)
        except MissingIndex:
            # The view's own index was dropped; the target's may well be there.
            raise ExpiredView from None
        except Unavailable as failure:
            if failure.details.get("status") == 400:
                raise ExpiredView from None
            raise

    async def _search(self, body: Body, physical: PhysicalName | None) -> dict[str, Any]:
        body["timeout"] = f"{int(self._seconds * 1000)}ms"
        try:
            async with asyncio.timeout(self._seconds):
                try:
                    return await self._answer(body, physical)
                except TooManyClauses:
                    if (slower := with_all_expansions(body)) == body:
                        raise
                    return await self._answer(slower, physical)
        except TimeoutError:
            raise timed_out() from None

    async def _answer(self, body: Body, physical: PhysicalName | None) -> dict[str, Any]:
        """Send a search, and again after a pause where a shard is away for a moment."""
        for pause in READ_PAUSES:
            try:
                return await self._answer_once(body, physical)
            except Unavailable as failure:
                if failure.details.get("status") != HTTPStatus.SERVICE_UNAVAILABLE:
                    raise
            await asyncio.sleep(pause)
        return await self._answer_once(body, physical)

    async def _answer_once(self, body: Body, physical: PhysicalName | None) -> dict[str, Any]:
        with translated():
            answer: dict[str, Any] = await self._client.search(index=physical, body=body, params=_WHOLE)
        raise_if_partial(answer)
        return answer
