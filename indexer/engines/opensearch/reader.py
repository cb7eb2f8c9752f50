"""`port.Reader` on OpenSearch: async searches and reads."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from cachetools import TTLCache
from opensearchpy import AsyncOpenSearch
from opensearchpy.exceptions import TransportError

from indexer.deadline import TimeLimit
from indexer.engines.cost import EXPLAINED_HITS, is_costly
from indexer.engines.counts import FacetValue, KeyCount, Size, WordCount
from indexer.engines.opensearch.documents import documents_of, source_fields
from indexer.engines.opensearch.failures import (
    failure_of_response,
    raise_if_partial,
    translate_errors,
)
from indexer.engines.opensearch.search.facets import (
    facets_of,
    internal_values_body,
    internal_values_of,
    keys_body,
    keys_of,
)
from indexer.engines.opensearch.search.highlights import highlights_of
from indexer.engines.opensearch.search.hits import explanation_of, hit_of, part_scores
from indexer.engines.opensearch.search.nearby import (
    distant_words_body,
    missing_words,
    nearby_words_body,
    suggested_words,
)
from indexer.engines.opensearch.search.request import (
    all_matches_body,
    explanations_body,
    fallback_highlights_body,
    first_undeclared_field,
    matched_of,
    page_body,
    parts_body,
    search_body,
)
from indexer.engines.opensearch.search.searches import Searches
from indexer.engines.opensearch.search.views import KEEP_ALIVE, point_in_time_of, view_of
from indexer.engines.port import Document, Hit, SearchRequest, SearchResponse, Target
from indexer.engines.query_parts import query_parts, score_parts
from indexer.engines.sorting import MAX_SORTED_MATCHES, sort_matches, too_many_to_sort
from indexer.schema.analysis import max_edits
from indexer.tenancy import DocumentId, PhysicalName

HEALTH_TIMEOUT_SECONDS: Final = 3
_COSTLY_AT_ONCE: Final = 2
"""A node searches with three threads for two processors, and one that highlights cannot be interrupted."""
_MAX_OCCURRING: Final = 50_000
_OCCURRING_SECONDS: Final = 60.0
"""For so long, a word counts as occurring after its last document was deleted. A new word counts at once."""


class OpenSearchReader:
    """`port.Reader` over one async client. A late or partial response raises."""

    def __init__(self, client: AsyncOpenSearch, search_timeout: float) -> None:
        self._client = client
        self._timeout_seconds = search_timeout
        self._searches = Searches(client, search_timeout)
        self._costly = asyncio.Semaphore(_COSTLY_AT_ONCE)
        self._occurring: TTLCache[tuple[PhysicalName, str], bool] = TTLCache(_MAX_OCCURRING, _OCCURRING_SECONDS)
        """Words that occurred lately, so that searches for usual words need no lookup."""

    async def search(self, target: Target, request: SearchRequest) -> SearchResponse:
        if not is_costly(request):
            return await self._search(target, request)
        async with TimeLimit(self._timeout_seconds), self._costly:
            return await self._search(target, request)

    async def open_view(self, target: Target) -> str:
        with translate_errors():
            response = await self._client.create_pit(
                index=target.physical, params={"keep_alive": KEEP_ALIVE, "allow_partial_pit_creation": "false"}
            )
        return view_of(target.physical, response["pit_id"])

    async def close_view(self, view: str) -> None:
        with suppress(TransportError):  # a view that is not closed expires
            await self._client.delete_pit(body={"pit_id": [point_in_time_of(view)]})

    async def get(self, target: Target, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        if not ids:
            return []
        with translate_errors():
            response = await self._client.mget(
                index=target.physical, body={"ids": list(ids)}, params={"_source": source_fields(text=text)}
            )
        return documents_of(response, target.definition)

    async def nearby_words(self, target: Target, tokens: Sequence[str]) -> dict[str, list[WordCount]]:
        unsure = [token for token in tokens if (target.physical, token) not in self._occurring]
        if not unsure:
            return {}
        response = await self._searches.send(nearby_words_body(unsure), target.physical)
        missing = missing_words(response, unsure)
        self._occurring.update(((target.physical, token), True) for token in unsure if token not in missing)
        nearby = suggested_words(response, missing)
        far = [token for token, near in nearby.items() if not near and max_edits(len(token)) > 1]
        if far:
            nearby |= suggested_words(await self._searches.send(distant_words_body(far), target.physical), far)
        return nearby

    async def internal_values(self, target: Target, name: str, limit: int) -> list[FacetValue]:
        return internal_values_of(await self._searches.send(internal_values_body(name, limit), target.physical))

    async def keys(self, target: Target) -> list[KeyCount]:
        return keys_of(await self._searches.send(keys_body(), target.physical))

    async def size(self, target: Target) -> Size:
        with translate_errors():
            response = await self._client.indices.stats(index=target.physical, metric="docs,store")
        raise_if_partial(response)
        primaries = response["_all"]["primaries"]
        if "docs" not in primaries:
            raise failure_of_response(503, {})
        return Size(primaries["docs"]["count"], primaries["store"]["size_in_bytes"])

    async def health(self) -> None:
        with translate_errors():
            await self._client.info(params={"request_timeout": HEALTH_TIMEOUT_SECONDS})

    async def close(self) -> None:
        await self._client.close()

    async def _search(self, target: Target, request: SearchRequest) -> SearchResponse:
        if (field := first_undeclared_field(request.sort, target.definition)) is not None:
            return await self._search_sorted_in_memory(target, request, field)
        response = await self._searches.in_index_or_view(target, request, search_body(target, request))
        matches = response["hits"]
        items = matches["hits"]
        how = matched_of(items, request)
        hits = [hit_of(item, matched, item.get("sort", [])) for item, matched in zip(items, how, strict=True)]
        hits = await self._completed(target, request, hits)
        return SearchResponse(
            hits, matches["total"]["value"], facets_of(response, request.facets, request.facet_values)
        )

    async def _search_sorted_in_memory(self, target: Target, request: SearchRequest, field: str) -> SearchResponse:
        """Sort by an undeclared field: collect the terms of all matches, sort them here, then fetch one page."""
        response = await self._searches.send(all_matches_body(target, request), target.physical)
        matches = response["hits"]
        if matches["total"]["value"] > MAX_SORTED_MATCHES:
            raise too_many_to_sort(field)
        values = (item["fields"] for item in matches["hits"])
        rows = [(DocumentId(value["id"][0]), value.get("kv", ())) for value in values]
        page = sort_matches(rows, request.sort, request.after)[: request.size]
        fetched = await self._searches.send(page_body(target, request, [match.id for match in page]), target.physical)
        items = {item["_id"]: item for item in fetched["hits"]["hits"]}
        # A document may have been deleted between the two requests.
        found = [(items[match.id], match.position) for match in page if match.id in items]
        how = matched_of([item for item, _ in found], request)
        hits = [hit_of(item, matched, position) for (item, position), matched in zip(found, how, strict=True)]
        hits = await self._completed(target, request, hits)
        return SearchResponse(
            hits, matches["total"]["value"], facets_of(response, request.facets, request.facet_values)
        )

    async def _completed(self, target: Target, request: SearchRequest, hits: list[Hit]) -> list[Hit]:
        """Request what a single search of the cluster does not return."""
        hits = await self._add_fallback_highlights(target, request, hits)
        hits = await self._add_explanations(target, request, hits)
        return await self._add_parts(target, request, hits)

    async def _add_explanations(self, target: Target, request: SearchRequest, hits: list[Hit]) -> list[Hit]:
        """Request the explanations of the first hits of a long page."""
        if not request.explain or request.size <= EXPLAINED_HITS or not hits:
            return hits
        body = explanations_body(target, request, [hit.id for hit in hits[:EXPLAINED_HITS]])
        response = await self._searches.in_index_or_view(target, request, body)
        explanations = {item["_id"]: explanation_of(item) for item in response["hits"]["hits"]}
        return [replace(hit, explanation=explanations.get(hit.id)) for hit in hits]

    async def _add_parts(self, target: Target, request: SearchRequest, hits: list[Hit]) -> list[Hit]:
        """Request the scores of the parts of the query in these hits."""
        if not request.parts or not hits:
            return hits
        parts = query_parts(request.query)
        body = parts_body(target, request, [hit.id for hit in hits], parts)
        response = await self._searches.in_index_or_view(target, request, body)
        scores = {item["_id"]: part_scores(item, parts) for item in response["hits"]["hits"]}
        return [replace(hit, parts=score_parts(request.query, scores.get(hit.id, {}))) for hit in hits]

    async def _add_fallback_highlights(self, target: Target, request: SearchRequest, hits: list[Hit]) -> list[Hit]:
        """Request highlights a second time, by the slower highlighter, for the hits that have none."""
        body = fallback_highlights_body(target, request, [hit.id for hit in hits if not hit.highlights])
        if body is None:
            return hits
        response = await self._searches.in_index_or_view(target, request, body)
        highlights = {item["_id"]: highlights_of(item) for item in response["hits"]["hits"]}
        return [replace(hit, highlights=highlights[hit.id]) if hit.id in highlights else hit for hit in hits]
