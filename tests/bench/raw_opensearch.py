"""OpenSearch without us: the same requests by its own client, and the same words on a mapping with defaults."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from opensearchpy import AsyncOpenSearch
from opensearchpy.helpers import async_bulk

from indexer.engines.opensearch.search.request import search_body
from tests.bench.bare_tool import PARAMS
from tests.bench.case import HITS, SNIPPETS, Case
from tests.bench.corpus import File

_MOST_BYTES = 10_000_000


@dataclass(frozen=True)
class RawOpenSearch:
    """A kept client, and an index of the same documents with the analyzer `english` and all else by default."""

    client: AsyncOpenSearch
    case: Case
    bodies: Sequence[dict[str, Any]]
    english: str

    async def same_request(self, number: int) -> dict[str, Any]:
        physical = self.case.target.physical
        answer: dict[str, Any] = await self.client.search(index=physical, body=self.bodies[number], params=PARAMS)
        return answer

    async def ids(self, number: int) -> list[str]:
        return [hit["_id"] for hit in (await self.same_request(number))["hits"]["hits"]]

    async def default_mapping(self, number: int) -> dict[str, Any]:
        body = {
            "query": {"match": {"text": self.case.queries[number]}},
            "highlight": {"fields": {"text": {"number_of_fragments": SNIPPETS}}},
            "_source": ["path"],
            "size": HITS,
        }
        answer: dict[str, Any] = await self.client.search(index=self.english, body=body)
        return answer


@asynccontextmanager
async def raw_opensearch(url: str, case: Case) -> AsyncIterator[RawOpenSearch]:
    """Fill the second index, and check that the same request finds the same."""
    client = AsyncOpenSearch(hosts=[url], maxsize=64, timeout=120)
    english = f"english-{case.index}"
    milliseconds = f"{int(case.library.search_timeout * 1000)}ms"
    bodies = [{**search_body(case.target, wanted), "timeout": milliseconds} for wanted in case.asked]
    try:
        await _fill(client, english, case.files)
        for index in (english, case.target.physical):
            # merges that go on in the background would disturb the one or the other
            await client.indices.forcemerge(index=index, params={"max_num_segments": 1})
            await client.indices.refresh(index=index)
        raw = RawOpenSearch(client, case, bodies, english)
        await case.check(raw.ids)
        yield raw
    finally:
        await client.indices.delete(index=english, params={"ignore": [404]})
        await client.close()


async def _fill(client: AsyncOpenSearch, index: str, files: Sequence[File]) -> None:
    fields = {"text": {"type": "text", "analyzer": "english"}, "path": {"type": "keyword"}}
    settings = {"number_of_shards": 1, "number_of_replicas": 0}
    await client.indices.create(index=index, body={"settings": settings, "mappings": {"properties": fields}})
    actions = ({"_index": index, "_id": file.path, "path": file.path, "text": file.text} for file in files)
    await async_bulk(client, actions, max_chunk_bytes=_MOST_BYTES)
