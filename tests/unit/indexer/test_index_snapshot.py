"""What readers see of an index while a re-index replaces it: one generation for each call."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest

from indexer.engines.counts import WordCount
from indexer.engines.port import Reader, SearchRequest, SearchResponse, Target
from indexer.errors import NotFound, Unavailable
from indexer.index.index import Index, Snapshot, on_snapshot
from indexer.index.registry import Registry
from indexer.library import Library
from indexer.query.ast import Everything
from indexer.query.parse_text import parse_text
from indexer.search.suggest import suggest_query
from indexer.tenancy import DEFAULT_INDEX, DocumentId, PhysicalName
from tests.unit.indexer.memory_engine import LOCAL, MemoryWriter, memory_library
from tests.unit.indexer.rebuilding import NOTES, RED, filled, old_name
from tests.unit.indexer.rebuilt import rebuilt

ALL = SearchRequest(Everything(), size=1)


class CountingReader:
    """A reader that finds as many hits as the writer has documents, and keeps what was searched."""

    def __init__(self, writer: MemoryWriter) -> None:
        self._writer = writer
        self.searched: list[PhysicalName] = []

    async def search(self, target: Target, _request: SearchRequest) -> SearchResponse:
        self.searched.append(target.physical)
        return SearchResponse([], self._writer.count(target), {})

    async def nearby_words(self, _target: Target, words: Sequence[str]) -> dict[str, list[WordCount]]:
        return {word: [WordCount("boat", 1)] for word in words}


def readable(library: Library, writer: MemoryWriter) -> tuple[Library, CountingReader]:
    reader = CountingReader(writer)
    return replace(library, engine=replace(library.engine, reader=cast("Reader", reader))), reader


def replace_and_drop(library: Library, writer: MemoryWriter) -> None:
    """Rebuild as another process does, whose registry tells this one nothing."""
    registry = Registry(library.engine.records, {"local": LOCAL}, max_indices=200)
    old = old_name(library)
    rebuilt(replace(library, registry=registry))
    writer.drop(old)


async def test_a_call_whose_generation_is_dropped_begins_again_on_the_one_that_serves() -> None:
    library, writer = filled()
    library, reader = readable(library, writer)
    generations: list[int] = []

    @on_snapshot
    async def read_twice(snapshot: Snapshot) -> list[int]:
        first = (await snapshot.search(ALL)).total
        generations.append(snapshot.generation)
        if len(generations) == 1:
            await asyncio.to_thread(replace_and_drop, library, writer)
        return [first, (await snapshot.search(ALL)).total]

    assert await read_twice(Index(library, RED, NOTES)) == [1, 1]
    assert len(set(generations)) == 2
    old, new = reader.searched[0], old_name(library)
    assert reader.searched == [old, old, new, new]


async def test_an_index_whose_data_is_lost_says_so() -> None:
    library, writer = filled()
    library, _ = readable(library, writer)
    writer.indices.clear()
    index = Index(library, RED, NOTES)
    with pytest.raises(Unavailable, match="gone from the engine"):
        await index.search(ALL)
    assert index.get_now([DocumentId("a")]) == [None]


async def test_an_index_that_was_never_written_to_is_empty_and_the_engine_is_not_asked() -> None:
    library, writer, _ = memory_library()
    library, reader = readable(library, writer)
    index = Index(library, RED, DEFAULT_INDEX)
    assert (await index.search(ALL)).total == 0
    assert await index.get([DocumentId("a")], text=True) == [None]
    assert reader.searched == []


async def test_a_deleted_index_is_not_found_and_leaves_nothing_behind() -> None:
    library, writer = filled()
    rebuilt(library)
    index = Index(library, RED, NOTES)
    index.delete()
    assert writer.indices == {}
    with pytest.raises(NotFound):
        await index.search(ALL)


async def test_a_cursor_goes_on_in_an_earlier_generation_while_that_is_kept() -> None:
    library, _ = filled()
    index = Index(library, RED, NOTES)
    before = await index.snapshot()
    rebuilt(library)
    after = await index.snapshot()
    assert after.generation != before.generation
    assert after.earlier_target(before.generation) == before.target
    assert after.earlier_target(1) is None


async def test_a_search_whose_generation_is_dropped_after_it_has_its_hits_does_without_a_suggestion() -> None:
    library, writer = filled()
    library, reader = readable(library, writer)
    snapshot = await Index(library, RED, NOTES).snapshot()

    async def suggestion() -> str | None:
        assert snapshot.target is not None
        return await suggest_query(
            snapshot.reader, snapshot.target, parse_text("baot"), filters={}, corrections={}, total=0
        )

    assert await suggestion() == "boat"
    replace_and_drop(library, writer)
    assert await suggestion() is None
    assert len(reader.searched) == 2
