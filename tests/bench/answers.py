"""What an agent reads of ten hits: the text of search_index, against another MCP server's answer for the same hits."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from statistics import median
from typing import Any

from opensearchpy import AsyncOpenSearch
from opensearchpy.helpers import async_bulk

from mcp_server.features.local.operations import SEARCH
from mcp_server.protocol.tools import ToolReply, Tools
from tests.bench.case import HITS, SNIPPETS, Case, searched_case
from tests.bench.engines import Place
from tests.bench.peer import NAME, VERSION, running_peer
from tests.bench.report import Row, Table
from tests.bench.scale import Scale
from tests.made_services import MAIN, made_services

BRIEF = "brief"
LEVELS = ("ids", BRIEF, "full")
SHARE = 0.5


def answers(places: Mapping[str, Place], scale: Scale) -> Iterator[Table]:
    """Measure on OpenSearch, which is all that the peer can search."""
    if "opensearch" in places:
        yield asyncio.run(_answers(places["opensearch"], scale))


async def _answers(place: Place, scale: Scale) -> Table:
    async with searched_case(place, scale) as case:
        tools = Tools(made_services(case.library), frozenset())
        ours = {level: [await _ask(tools, case, query, level) for query in case.queries] for level in LEVELS}
        async with _plain_index(place.url, case, ours[BRIEF]) as index, running_peer(place.url) as peer:
            theirs = [
                [len(await peer.search(index, body)) for body in _bodies(query, ours[BRIEF][number])]
                for number, query in enumerate(case.queries)
            ]
    snippets, sources = (list(column) for column in zip(*theirs, strict=True))
    lengths = {level: [len(reply.text) for reply in replies] for level, replies in ours.items()}
    rows = [
        _row(f"{level} / {SNIPPETS} snippets", lengths[level], snippets, SHARE if level == BRIEF else None)
        for level in LEVELS
    ]
    rows.append(_row(f"{BRIEF} / whole documents", lengths[BRIEF], sources, SHARE))
    return Table(f"Characters of an answer of ten hits: search_index / {NAME} {VERSION}", rows)


async def _ask(tools: Tools, case: Case, query: str, level: str) -> ToolReply:
    return await tools.call(SEARCH, {"query": query, "index_name": case.index, "detail": level}, MAIN)


def _ids(reply: ToolReply) -> list[str]:
    assert reply.result is not None
    return [hit["doc_id"] for hit in reply.result["results"]]


def _bodies(query: str, reply: ToolReply) -> list[dict[str, Any]]:
    """Return what the peer is asked for the same hits: with snippets and paths only, and with whole documents."""
    found = {"bool": {"must": {"match": {"text": query}}, "filter": {"ids": {"values": _ids(reply)}}}}
    highlight = {"fields": {"text": {"number_of_fragments": SNIPPETS}}}
    return [
        {"query": found, "size": HITS, "highlight": highlight, "_source": ["path"]},
        {"query": found, "size": HITS},
    ]


@asynccontextmanager
async def _plain_index(url: str, case: Case, replies: Sequence[ToolReply]) -> AsyncIterator[str]:
    """Fill an index of the documents that were found, with defaults but for the analyzer."""
    client, index = AsyncOpenSearch(hosts=[url], timeout=120), f"peer-{case.index}"
    found = {id_ for reply in replies for id_ in _ids(reply)}
    fields = {"text": {"type": "text", "analyzer": "english"}, "path": {"type": "keyword"}}
    settings = {"number_of_shards": 1, "number_of_replicas": 0}
    try:
        await client.indices.create(index=index, body={"settings": settings, "mappings": {"properties": fields}})
        documents = (file for file in case.files if file.path in found)
        actions = ({"_index": index, "_id": each.path, "path": each.path, "text": each.text} for each in documents)
        await async_bulk(client, actions, refresh=True)
        yield index
    finally:
        await client.indices.delete(index=index, params={"ignore": [404]})
        await client.close()


def _row(name: str, ours: Sequence[int], theirs: Sequence[int], at_most: float | None) -> Row:
    value = median(one / other for one, other in zip(ours, theirs, strict=True))
    beside = f"medians {median(ours):,.0f} and {median(theirs):,.0f} characters"
    return Row(name, value, beside, at_most=at_most)
