import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.engines.port import Engine, SearchRequest
from indexer.engines.tantivy.engine import open_engine
from indexer.engines.tantivy.search.views import Views
from indexer.errors import ExpiredView
from indexer.query.ast import Everything, SortKey
from indexer.tenancy import PhysicalName
from tests.integration.tantivy_documents import ALIAS, TARGET, document, ids


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[Engine]:
    opened = open_engine(tmp_path / "data", search_timeout=60)
    opened.writer.create(TARGET, ALIAS)
    yield opened
    await opened.reader.close()
    opened.writer.close()
    opened.records.close()


async def test_a_view_serves_only_its_own_index_and_process(engine: Engine, tmp_path: Path) -> None:
    view = await engine.reader.open_view(TARGET)
    other = replace(TARGET, physical=PhysicalName("trawl.main.other.1"))
    engine.writer.create(other, "trawl.main.other")
    elsewhere = open_engine(tmp_path / "data", search_timeout=60)
    for reader, target in ((engine.reader, other), (elsewhere.reader, TARGET)):
        with pytest.raises(ExpiredView):
            await reader.search(target, SearchRequest(Everything(), 1, view=view))
    await elsewhere.reader.close()


async def test_an_idle_view_is_closed_though_nobody_searches(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = asyncio.Event()
    remove_idle = Views.remove_idle

    def watched(views: Views) -> bool:
        are_left = remove_idle(views)
        if not are_left:
            closed.set()
        return are_left

    monkeypatch.setattr(Views, "remove_idle", watched)
    monkeypatch.setattr("indexer.engines.tantivy.search.views.VIEW_IDLE_SECONDS", 0.2)
    monkeypatch.setattr("indexer.engines.tantivy.reader._LOOK_FOR_IDLE_SECONDS", 0.05)
    await engine.reader.open_view(TARGET)
    await asyncio.wait_for(closed.wait(), 10)


async def test_asking_for_more_than_there_is_costs_nothing(engine: Engine) -> None:
    engine.writer.write(TARGET, [document("a")])
    assert await ids(engine, SearchRequest(Everything(), 10**15)) == ["a"]
    assert await ids(engine, SearchRequest(Everything(), 10, after=[10**15])) == []
    assert await ids(engine, SearchRequest(Everything(), 10**15, sort=(SortKey("year", descending=True),))) == ["a"]
