"""nDCG@10 and recall@100 on test collections, through the same function that tools call."""

import asyncio
import math
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from uuid import uuid4

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.local.arguments import AddDocuments, CreateIndex, DeleteIndex, SearchIndex
from indexer.local.documents import add_documents
from indexer.local.indices import create_index, delete_index
from indexer.local.search import search
from indexer.tenancy import Principal, TeamId
from tests.bench.datasets import Collection, collection
from tests.bench.engines import Place
from tests.bench.report import Row, Table
from tests.bench.scale import Scale

TARGETS = {"scifact": 0.68, "cranfield": 0.51}
APART = 0.015
_AT_ONCE = 500


def relevance(places: Mapping[str, Place], _: Scale) -> Iterator[Table]:
    """Measure both collections on each engine, and how far the engines are apart."""
    rows = []
    for name, target in TARGETS.items():
        chosen = collection(name)
        gains = []
        for place in places.values():
            gain, recall = asyncio.run(_on_engine(place, chosen))
            gains.append(gain)
            beside = f"recall@100 {recall:.3f}, {len(chosen.queries)} queries"
            rows.append(Row(f"{name} nDCG@10 on {place.name}", gain, beside, at_least=target, digits=4))
        if len(gains) > 1:
            apart = max(gains) - min(gains)
            rows.append(Row(f"{name} nDCG@10, engines apart", apart, at_most=APART, digits=4))
    yield Table("Relevance by the default analysis", rows)


async def _on_engine(place: Place, chosen: Collection) -> tuple[float, float]:
    library = open_library(place.settings)
    try:
        return await measure(library, chosen)
    finally:
        await library.aclose()


async def measure(library: Library, chosen: Collection) -> tuple[float, float]:
    """Return nDCG@10 and recall@100, averaged over the queries."""
    gains, recalls = [], []
    async with indexed(library, chosen) as principal:
        for id_, text in chosen.queries.items():
            found = await search(library, principal, SearchIndex(query=text, k=100, index_name=chosen.name))
            ids = [hit["doc_id"] for hit in found["results"]]
            relevant = chosen.relevant[id_]
            gains.append(gain(ids, relevant))
            recalls.append(len(relevant.intersection(ids)) / len(relevant))
    return sum(gains) / len(gains), sum(recalls) / len(recalls)


@asynccontextmanager
async def indexed(library: Library, chosen: Collection, principal: Principal | None = None) -> AsyncIterator[Principal]:
    """Give a team, a new one by default, with an index of the collection, named like it, while the block runs."""
    principal, index = principal or Principal(TeamId(f"bench{uuid4().hex[:8]}"), "bench"), chosen.name
    rows = [{"doc_id": id_, "content": text} for id_, text in chosen.documents.items() if text.strip()]
    await create_index(library, principal, CreateIndex(index_name=index))
    try:
        for start in range(0, len(rows), _AT_ONCE):
            part = AddDocuments(documents=rows[start : start + _AT_ONCE], index_name=index)
            await add_documents(library, principal, part)
        yield principal
    finally:
        await delete_index(library, principal, DeleteIndex(index_name=index))


def gain(ids: Sequence[str], relevant: set[str]) -> float:
    """Return nDCG@10 of one query."""
    found = sum(1 / math.log2(place + 2) for place, id_ in enumerate(ids[:10]) if id_ in relevant)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(relevant))))
    return found / ideal
