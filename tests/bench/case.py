"""What is searched for in the measurements of overhead: an index, queries, and what each asks of the engine."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, cast

from indexer.bootstrap import open_library
from indexer.engines.port import Reader, SearchRequest, SearchResponse, Target
from indexer.library import Library
from indexer.local.arguments import CreateIndex, DeleteIndex, SearchIndex
from indexer.local.indices import create_index, delete_index
from indexer.local.results import SearchResult
from indexer.local.search import search
from tests.bench.corpus import File, files, fill, two_word_queries
from tests.bench.engines import Place
from tests.bench.scale import Scale
from tests.made_services import MAIN

HITS = 10
SNIPPETS = 3


@dataclass(frozen=True)
class Case:
    """An index of the documentation tree; `asked` belongs to the queries, in their order."""

    library: Library
    index: str
    files: Sequence[File]
    queries: Sequence[str]
    target: Target
    asked: Sequence[SearchRequest]

    async def by_reader(self, number: int) -> SearchResponse:
        return await self.library.engine.reader.search(self.target, self.asked[number])

    async def by_indexer(self, number: int) -> SearchResult:
        return await search(self.library, MAIN, SearchIndex(query=self.queries[number], index_name=self.index))

    async def check(self, raw: Callable[[int], Awaitable[Sequence[str]]]) -> None:
        """Compare the ids that the engine by itself finds with ours, or all ratios would be of different things."""
        for number in range(len(self.queries)):
            ours = [hit["doc_id"] for hit in (await self.by_indexer(number))["results"]]
            if ours != list(await raw(number)):
                raise SystemExit("The raw engine does not find what indexer.search finds")


class _Recording:
    """A reader that remembers what it was asked."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.asked: list[tuple[Target, SearchRequest]] = []

    async def search(self, target: Target, wanted: SearchRequest) -> SearchResponse:
        self.asked.append((target, wanted))
        return await self._reader.search(target, wanted)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)


@asynccontextmanager
async def searched_case(place: Place, scale: Scale) -> AsyncIterator[Case]:
    """Fill an index of the team that a service without authentication serves, and remove it afterwards."""
    library, index = open_library(place.settings), f"bench-{secrets.token_hex(4)}"
    chosen = files(scale.documents)
    try:
        await create_index(library, MAIN, CreateIndex(index_name=index))
        try:
            await fill(library, MAIN, index, chosen)
            yield await _recorded(library, index, chosen, two_word_queries(chosen, scale.queries))
        finally:
            await delete_index(library, MAIN, DeleteIndex(index_name=index))
    finally:
        await library.aclose()


async def _recorded(library: Library, index: str, chosen: Sequence[File], queries: Sequence[str]) -> Case:
    recording = _Recording(library.engine.reader)
    watched = replace(library, engine=replace(library.engine, reader=cast("Reader", recording)))
    for query in queries:
        await search(watched, MAIN, SearchIndex(query=query, index_name=index))
    if len(recording.asked) != len(queries):
        raise SystemExit("A query was not answered by a single search")
    (target,) = {target.physical: target for target, _ in recording.asked}.values()
    wanted = [wanted for _, wanted in recording.asked]
    if any((each.size, each.snippets) != (HITS, SNIPPETS) for each in wanted):
        raise SystemExit(f"The engine is not asked for {HITS} hits with {SNIPPETS} snippets each")
    return Case(library, index, chosen, queries, target, wanted)
