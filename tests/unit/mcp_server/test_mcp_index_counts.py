"""The gauges of indices and documents: right for each team, cheap, and no burden while the engine is away."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from indexer.engines.counts import Size
from indexer.engines.port import Target
from indexer.errors import MissingIndex, Unavailable
from indexer.index.writing import write_documents
from indexer.library import Library
from indexer.tenancy import ARCHIVE_INDEX, DEFAULT_INDEX, IndexName, TeamId
from mcp_server.observability import index_counts
from mcp_server.observability.index_counts import IndexCounts
from tests.unit.indexer.memory_engine import LOCAL, document, memory_library

BLUE, RED = TeamId("blue"), TeamId("red")
CANARY = "canary_c0a7"


class Sizes:
    """A reader that only knows sizes: of each index the documents that the writer holds, unless told otherwise."""

    def __init__(self, size: Callable[[Target], Awaitable[Size]]) -> None:
        self.asked = 0
        self.answer = size

    async def size(self, target: Target) -> Size:
        self.asked += 1
        return await self.answer(target)


def prepared() -> tuple[Library, Sizes]:
    """Two teams: red has three indices and an archive, blue has only an archive."""
    library, writer, _ = memory_library()

    async def size(target: Target) -> Size:
        await asyncio.sleep(0)  # the others are asked meanwhile
        return Size(writer.count(target), 0)

    reader = Sizes(size)
    library = replace(library, engine=replace(library.engine, reader=reader))  # type: ignore[arg-type]  # in part
    library.registry.create(RED, IndexName("notes"), LOCAL)
    library.registry.create(RED, IndexName("empty"), LOCAL)
    library.registry.create(RED, IndexName("more"), LOCAL)
    write_documents(library, RED, IndexName("notes"), [document("a", 1), document("b", 1)])
    write_documents(library, RED, IndexName("more"), [document("a", 1)])
    for team in (RED, BLUE):
        write_documents(library, team, ARCHIVE_INDEX, [document(f"{team}-{at}", 1) for at in range(3)])
    return library, reader


async def test_each_team_has_its_indices_and_documents_by_kind() -> None:
    library, _ = prepared()
    counts = IndexCounts(library)
    await counts.update()
    assert counts.indices == {(RED, "local"): 4, (RED, "archive"): 1, (BLUE, "local"): 1, (BLUE, "archive"): 1}
    assert counts.documents == {(RED, "local"): 3, (RED, "archive"): 3, (BLUE, "local"): 0, (BLUE, "archive"): 3}


async def test_a_default_index_that_was_written_to_is_counted_once() -> None:
    library, _ = prepared()
    write_documents(library, BLUE, DEFAULT_INDEX, [document("a", 1)])
    counts = IndexCounts(library)
    await counts.update()
    assert (counts.indices[BLUE, "local"], counts.documents[BLUE, "local"]) == (1, 1)


async def test_scrapes_within_some_seconds_share_one_count() -> None:
    library, reader = prepared()
    clock = [100.0]
    counts = IndexCounts(library, now=lambda: clock[0])
    await asyncio.gather(*(counts.update() for _ in range(5)))
    clock[0] += 14
    await counts.update()
    assert reader.asked == 4
    clock[0] += 2
    await counts.update()
    assert reader.asked == 8


async def test_an_index_that_is_deleted_meanwhile_is_empty() -> None:
    library, reader = prepared()

    async def gone(_target: Target) -> Size:
        raise MissingIndex

    reader.answer = gone
    counts = IndexCounts(library)
    await counts.update()
    assert set(counts.documents.values()) == {0}


@pytest.mark.parametrize("error", [Unavailable("away", action="wait"), RuntimeError(CANARY)])
async def test_while_the_engine_is_away_there_are_no_numbers(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    library, reader = prepared()
    clock = [0.0]
    counts = IndexCounts(library, now=lambda: clock[0])
    await counts.update()
    assert counts.documents
    answer = reader.answer

    async def fail(_target: Target) -> Size:
        raise error

    reader.answer = fail
    clock[0] += 20
    with caplog.at_level(logging.DEBUG):
        await counts.update()
    assert (counts.indices, counts.documents) == ({}, {})
    assert ("counting indices failed" in caplog.text) is isinstance(error, RuntimeError)
    assert CANARY not in caplog.text
    reader.answer = answer
    clock[0] += 20
    await counts.update()
    assert counts.documents[RED, "local"] == 3


async def test_a_slow_count_delays_no_scrape_and_ends_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_counts, "_MAX_WAIT_SECONDS", 0.01)
    library, reader = prepared()
    answer, engine_answers = reader.answer, asyncio.Event()

    async def slow(target: Target) -> Size:
        await engine_answers.wait()
        return await answer(target)

    reader.answer = slow
    counts = IndexCounts(library)
    await counts.update()
    await counts.update()
    assert counts.documents == {}
    asked = reader.asked
    engine_answers.set()
    monkeypatch.setattr(index_counts, "_MAX_WAIT_SECONDS", 5)
    await counts.update()
    assert counts.documents[RED, "local"] == 3
    assert (asked, reader.asked) == (4, 4)


async def test_an_engine_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_counts, "_MAX_COUNT_SECONDS", 0.01)
    library, reader = prepared()

    async def hang(_target: Target) -> Size:
        await asyncio.Event().wait()
        raise AssertionError("never set")

    reader.answer = hang
    counts = IndexCounts(library)
    await counts.update()
    assert counts.indices == {}
