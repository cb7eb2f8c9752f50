from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from indexer.engines.port import Deletion, Engine, SearchRequest
from indexer.engines.tantivy.engine import open_engine
from indexer.errors import ExpiredView, Invalid
from indexer.query.ast import Everything, SortKey, Word
from indexer.tenancy import PhysicalName
from tests.integration.tantivy_documents import ALIAS, TARGET, document, identity, ids


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[Engine]:
    opened = open_engine(tmp_path / "data", search_timeout=60)
    opened.writer.create(TARGET, ALIAS)
    yield opened
    await opened.reader.close()
    opened.writer.close()
    opened.records.close()


async def test_a_sorted_page_has_scores_positions_and_a_next_page(engine: Engine) -> None:
    given = [document(f"d{at}", "boat " * (at + 1), year=2000 + at % 3) for at in range(7)]
    engine.writer.write(TARGET, [*given, document("none", "boat")])
    wanted = SearchRequest(Word("boat"), 3, sort=(SortKey("year", descending=True),))
    pages, after = [], None
    while page := (await engine.reader.search(TARGET, replace(wanted, after=after))).hits:
        pages.append([hit.id for hit in page])
        assert all(hit.score > 0 for hit in page)
        after = orjson.loads(orjson.dumps(page[-1].position))
    assert pages == [["d2", "d5", "d1"], ["d4", "d0", "d3"], ["d6", "none"]]


async def test_an_undeclared_field_sorts_by_gathering_up_to_a_limit(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.writer.write(TARGET, [document("a", tag="z"), document("b", tag=3), document("c"), document("d", tag="b")])
    wanted = SearchRequest(Everything(), 3, sort=(SortKey("tag", descending=False),))
    first = (await engine.reader.search(TARGET, wanted)).hits
    assert [hit.id for hit in first] == ["d", "a", "b"]
    assert await ids(engine, replace(wanted, after=first[1].position)) == ["b", "c"]
    monkeypatch.setattr("indexer.engines.tantivy.search.find.GATHERED", 3)
    with pytest.raises(Invalid, match="declared"):
        await engine.reader.search(TARGET, wanted)


async def test_a_view_keeps_its_pages_while_documents_come_and_go(engine: Engine) -> None:
    engine.writer.write(TARGET, [document(f"d{at:02}", "boat " + "x " * at) for at in range(30)])
    shown = await ids(engine, SearchRequest(Word("boat"), 5))
    view = await engine.reader.open_view(TARGET)
    wanted = SearchRequest(Word("boat"), 10, view=view, without=tuple(map(identity, shown)), snippets=1, text=True)
    found, after = list(shown), None
    for turn in range(3):
        page = await engine.reader.search(TARGET, replace(wanted, after=after))
        assert page.total == 25
        found += [hit.id for hit in page.hits]
        after = page.hits[-1].position
        for at in range(8):
            engine.writer.write(TARGET, [document(f"new{turn}{at}", "boat"), document(f"d{at:02}", "no", 10 + turn)])
        engine.writer.delete(TARGET, [Deletion(identity(f"d{10 + turn}"), 99)])
    assert found == [f"d{at:02}" for at in range(30)]


async def test_a_view_serves_only_its_own_index_and_process(engine: Engine, tmp_path: Path) -> None:
    view = await engine.reader.open_view(TARGET)
    other = replace(TARGET, physical=PhysicalName("trawl.main.other.1"))
    engine.writer.create(other, "trawl.main.other")
    elsewhere = open_engine(tmp_path / "data", search_timeout=60)
    for reader, target in ((engine.reader, other), (elsewhere.reader, TARGET)):
        with pytest.raises(ExpiredView):
            await reader.search(target, SearchRequest(Everything(), 1, view=view))
    await elsewhere.reader.close()


async def test_pages_go_on_past_ten_thousand(engine: Engine) -> None:
    for start in range(0, 10_400, 2_600):
        engine.writer.write(TARGET, [document(f"d{at:05}", "b", year=at % 7) for at in range(start, start + 2_600)])
    view = await engine.reader.open_view(TARGET)
    wanted = SearchRequest(Everything(), 1_000, view=view, payload=False)
    seen: list[str] = []
    after: list[Any] | None = None
    while page := (await engine.reader.search(TARGET, replace(wanted, after=after))).hits:
        seen += [hit.id for hit in page]
        after = page[-1].position
    assert len(seen) == len(set(seen)) == 10_400
    position = [3.0, "d10000"]
    by_year = SearchRequest(Everything(), 1_000, sort=(SortKey("year", descending=False),), after=position)
    assert (await ids(engine, by_year))[:2] == ["d10006", "d10013"]
    with pytest.raises(Invalid):
        await engine.reader.search(TARGET, SearchRequest(Everything(), 1, sort=(SortKey("tag", descending=False),)))
    scanned = [len(batch) for batch in engine.writer.scan(TARGET, text=False)]
    assert sum(scanned) == 10_400
    assert max(scanned) == 500


async def test_a_scan_shows_the_index_as_it_was_at_the_start(engine: Engine) -> None:
    engine.writer.write(TARGET, [document(f"d{at}", revision=at + 1) for at in range(600)])
    batches = engine.writer.scan(TARGET, text=False)
    first = next(batches)
    engine.writer.write(TARGET, [document("new"), document("d599", revision=9_999)])
    rest = [one for batch in batches for one in batch]
    found = {one.id: one.revision for one in [*first, *rest]}
    assert found == {f"d{at}": at + 1 for at in range(600)}


async def test_asking_for_more_than_there_is_costs_nothing(engine: Engine) -> None:
    engine.writer.write(TARGET, [document("a")])
    assert await ids(engine, SearchRequest(Everything(), 10**15)) == ["a"]
    assert await ids(engine, SearchRequest(Everything(), 10, after=[10**15])) == []
    assert await ids(engine, SearchRequest(Everything(), 10**15, sort=(SortKey("year", descending=True),))) == ["a"]
