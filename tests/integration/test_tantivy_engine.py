import asyncio
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from indexer.engines.port import Deletion, Engine, FacetValue, KeyCount, SearchRequest
from indexer.engines.tantivy.commit import commit
from indexer.engines.tantivy.engine import open_engine
from indexer.engines.tantivy.search.find import find
from indexer.errors import MissingIndex, TimedOut, Unavailable
from indexer.query.ast import Everything, Fuzzy, Phrase, SortKey, Word
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


def test_opening_reads_and_makes_nothing(tmp_path: Path) -> None:
    open_engine(tmp_path / "data", search_timeout=1)
    assert not (tmp_path / "data").exists()


async def test_a_document_is_found_and_read_back_whole(engine: Engine) -> None:
    given = document("ü/1 ", "The boats — 日本", 2**63 + 5, year=2020, tag=["a", "b"])
    (written,) = engine.writer.write(TARGET, [given])
    assert written.status == "created"
    found = await engine.reader.search(TARGET, SearchRequest(Word("boat"), 10, snippets=3, text=True, explain=True))
    (hit,) = found.hits
    assert (hit.id, hit.revision, hit.text, hit.payload) == (given.id, given.revision, given.text, given.payload)
    assert hit.highlights == ("The <mark>boats</mark> — 日本",)
    assert hit.explanation is not None
    assert hit.position == []
    brief = replace(given, terms=(), keys=(), sortable={})
    absent = identity("absent")
    assert await engine.reader.get(TARGET, [absent, given.id], text=True) == [None, brief]
    assert engine.writer.get_many(TARGET, [given.id, absent], text=False) == [replace(brief, text=""), None]
    assert list(engine.writer.scan(TARGET, text=True)) == [[given]]


async def test_text_and_payload_come_only_where_asked_for(engine: Engine) -> None:
    engine.writer.write(TARGET, [document("a", "a boat", tag="x")])
    (hit,) = (await engine.reader.search(TARGET, SearchRequest(Everything(), 1, payload=False))).hits
    assert (hit.text, hit.payload, hit.highlights, hit.explanation) == ("", b"", (), None)


async def test_only_a_higher_revision_wins(engine: Engine) -> None:
    def write(revision: int, text: str) -> str:
        return engine.writer.write(TARGET, [document("a", text, revision)])[0].status

    assert [write(5, "five"), write(5, "again"), write(4, "four"), write(6, "six")] == [
        "created",
        "superseded",
        "superseded",
        "updated",
    ]
    assert await ids(engine, SearchRequest(Word("six"), 10)) == ["a"]
    assert await ids(engine, SearchRequest(Everything(), 10)) == ["a"]


async def test_a_deletion_removes_all_but_newer_revisions(engine: Engine) -> None:
    engine.writer.write(TARGET, [document("a", revision=5), document("b", revision=5), document("c", revision=5)])
    deletions = [Deletion(identity("a"), 5), Deletion(identity("b"), 4), Deletion(identity("x"), 9)]
    deletions += [Deletion(identity("c"), 6), Deletion(identity("c"), 7)]
    statuses = [deleted.status for deleted in engine.writer.delete(TARGET, deletions)]
    assert statuses == ["deleted", "superseded", "absent", "deleted", "absent"]
    assert await ids(engine, SearchRequest(Everything(), 10)) == ["b"]


async def test_the_same_id_several_times_in_one_call_counts_in_order(engine: Engine) -> None:
    given = [document("a", "one", 1), document("a", "three", 3), document("a", "two", 2)]
    assert [one.status for one in engine.writer.write(TARGET, given)] == ["created", "updated", "superseded"]
    assert (await engine.reader.search(TARGET, SearchRequest(Everything(), 10, text=True))).hits[0].text == "three"
    assert (await engine.reader.size(TARGET)).documents == 1


async def test_a_document_that_cannot_be_held_spoils_no_other(engine: Engine) -> None:
    given = [document("a"), document("b", "lone \ud800"), document("c", revision=2**65), document("d")]
    written = engine.writer.write(TARGET, given)
    assert [one.status for one in written] == ["created", "failed", "failed", "created"]
    assert written[1].reason
    assert sorted(await ids(engine, SearchRequest(Everything(), 10))) == ["a", "d"]


async def test_a_missing_index_is_told_apart(engine: Engine) -> None:
    missing = replace(TARGET, physical=PhysicalName("trawl.main.none.1"))
    writer, reader = engine.writer, engine.reader
    for call in (
        lambda: writer.write(missing, [document("a")]),
        lambda: writer.delete(missing, [Deletion(identity("a"), 1)]),
        lambda: writer.refresh(missing),
        lambda: writer.get_many(missing, [identity("a")], text=True),
        lambda: list(writer.scan(missing, text=True)),
    ):
        with pytest.raises(MissingIndex):
            call()
    for asked in (
        reader.search(missing, SearchRequest(Everything(), 1)),
        reader.open_view(missing),
        reader.get(missing, [identity("a")], text=True),
        reader.keys(missing),
        reader.size(missing),
    ):
        with pytest.raises(MissingIndex):
            await asked
    assert writer.physical_names("trawl.main.") == [TARGET.physical]


async def test_a_write_to_a_dropped_index_brings_nothing_back(engine: Engine) -> None:
    engine.writer.write(TARGET, [document("a")])
    engine.writer.drop(TARGET.physical)
    with pytest.raises(MissingIndex):
        engine.writer.write(TARGET, [document("b")])
    engine.writer.create(TARGET, ALIAS)
    assert (await engine.reader.size(TARGET)).documents == 0
    assert engine.writer.write(TARGET, [document("a")])[0].status == "created"


async def test_facets_count_the_ten_biggest_values_of_all_types(engine: Engine) -> None:
    values: list[Any] = ["x", "x", 7, 7, True, True, "y", *range(100, 110)]
    given = [document(f"d{at}", tag=[value, value], other="z") for at, value in enumerate(values)]
    engine.writer.write(TARGET, [*given, document("n", "none", tag="x")])
    engine.writer.write(TARGET, [document("gone", tag="x")])
    engine.writer.delete(TARGET, [Deletion(identity("gone"), 1)])
    found = await engine.reader.search(TARGET, SearchRequest(Word("boat"), 0, facets=("tag", "absent")))
    assert found.hits == []
    assert found.total == len(values)
    assert found.facets["tag"] == [
        FacetValue("x", 2),
        FacetValue(7, 2),
        FacetValue(True, 2),
        FacetValue("y", 1),
        *(FacetValue(number, 1) for number in range(100, 106)),
    ]
    assert found.facets["absent"] == []


async def test_keys_and_size_describe_the_documents_that_are_there(engine: Engine) -> None:
    empty = await engine.reader.size(TARGET)
    engine.writer.write(TARGET, [document("a", year=1, tag="x"), document("b", year="old"), document("c", tag="y")])
    engine.writer.delete(TARGET, [Deletion(identity("c"), 1)])
    assert await engine.reader.keys(TARGET) == [
        KeyCount("tag", "string", 1),
        KeyCount("year", "number", 1),
        KeyCount("year", "string", 1),
    ]
    size = await engine.reader.size(TARGET)
    assert (empty.documents, size.documents) == (0, 2)
    assert size.size_bytes > empty.size_bytes > 0


async def test_an_empty_index_answers(engine: Engine) -> None:
    for wanted in (
        SearchRequest(Word("boat"), 10, facets=("tag",)),
        SearchRequest(Phrase(("a", "b")), 10),
        SearchRequest(Fuzzy("boat", 1), 10, sort=(SortKey("year", descending=True),)),
        SearchRequest(Everything(), 10, sort=(SortKey("tag", descending=True),)),
    ):
        found = await engine.reader.search(TARGET, wanted)
        assert (found.hits, found.total) == ([], 0)
    assert list(engine.writer.scan(TARGET, text=True)) == []


async def test_writes_at_once_share_commits_and_none_is_lost(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    commits = []

    def counted(folder: Any, target: Any, batches: Any) -> Any:
        commits.append(len(batches))
        return commit(folder, target, batches)

    monkeypatch.setattr("indexer.engines.tantivy.writer.commit", counted)
    together = threading.Barrier(12)

    def write(at: int) -> str:
        together.wait(60)
        return engine.writer.write(TARGET, [document(f"d{at}")])[0].status

    with ThreadPoolExecutor(12) as threads:
        assert set(threads.map(write, range(12))) == {"created"}
    assert sum(commits) == 12
    assert (await engine.reader.size(TARGET)).documents == 12


async def test_many_small_writes_leave_few_segments(engine: Engine, tmp_path: Path) -> None:
    for at in range(40):
        engine.writer.write(TARGET, [document(f"d{at}")])
    meta = orjson.loads((tmp_path / "data" / "indices" / TARGET.physical / "meta.json").read_bytes())
    assert len(meta["segments"]) < 10


async def test_a_search_that_takes_too_long_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = open_engine(tmp_path / "data", search_timeout=0.05)
    engine.writer.create(TARGET, ALIAS)
    go_on = threading.Event()

    def slow(*given: Any) -> Any:
        go_on.wait(60)
        return find(*given)

    monkeypatch.setattr("indexer.engines.tantivy.reader.find", slow)
    with pytest.raises(TimedOut):
        await engine.reader.search(TARGET, SearchRequest(Everything(), 1))
    go_on.set()
    await engine.reader.close()


async def test_a_damaged_index_is_unavailable_for_reading_and_writing(engine: Engine, tmp_path: Path) -> None:
    engine.writer.write(TARGET, [document("a")])
    for path in (tmp_path / "data" / "indices" / TARGET.physical).glob("*.idx"):
        path.write_bytes(b"damaged")
    again = open_engine(tmp_path / "data", search_timeout=60)
    with pytest.raises(Unavailable, match="damaged"):
        await again.reader.search(TARGET, SearchRequest(Everything(), 1))
    with pytest.raises(Unavailable, match="damaged"):
        again.writer.write(TARGET, [document("b")])
    await again.reader.close()


async def test_health_tells_whether_the_folder_can_be_used(engine: Engine, tmp_path: Path) -> None:
    await engine.reader.health()
    engine.writer.health()
    (tmp_path / "file").write_text("")
    broken = open_engine(tmp_path / "file" / "data", search_timeout=60)
    with pytest.raises(Unavailable):
        await broken.reader.health()
    with pytest.raises(Unavailable):
        broken.writer.health()
    await broken.reader.close()


async def test_searches_run_beside_each_other(engine: Engine) -> None:
    engine.writer.write(TARGET, [document(f"d{at}", f"boat number{at}") for at in range(50)])
    found = await asyncio.gather(*(ids(engine, SearchRequest(Word(f"number{at}"), 1)) for at in range(50)))
    assert found == [[f"d{at}"] for at in range(50)]
