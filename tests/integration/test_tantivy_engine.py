import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import orjson
import pytest

from indexer.engines.port import Engine, SearchRequest
from indexer.engines.tantivy.commit import commit
from indexer.engines.tantivy.engine import open_engine
from indexer.engines.tantivy.search.find import find
from indexer.errors import TimedOut, Unavailable
from indexer.query.ast import Everything
from tests.integration.tantivy_documents import ALIAS, TARGET, document, ids


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


async def test_a_document_that_cannot_be_held_spoils_no_other(engine: Engine) -> None:
    given = [document("a"), document("b", "lone \ud800"), document("c", revision=2**65), document("d")]
    written = engine.writer.write(TARGET, given)
    assert [one.status for one in written] == ["created", "failed", "failed", "created"]
    assert written[1].reason
    assert sorted(await ids(engine, SearchRequest(Everything(), 10))) == ["a", "d"]


async def test_writes_at_once_share_commits_and_none_is_lost(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    commits = []

    def counted(folder: Any, target: Any, batches: Any, timeout: float) -> Any:
        commits.append(len(batches))
        return commit(folder, target, batches, timeout)

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
