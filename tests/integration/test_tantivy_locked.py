"""An index that another program locks: writes end in time and say who locks it, and searches go on."""

import errno
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from indexer.engines.port import Engine, SearchRequest
from indexer.engines.tantivy.engine import open_engine
from indexer.errors import Unavailable
from indexer.query.ast import Everything
from tests.foreign_locks import FLOCK, holding
from tests.integration.tantivy_documents import ALIAS, TARGET, document, ids


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[Engine]:
    opened = open_engine(tmp_path / "data", search_timeout=60, patience=0.2)
    opened.writer.create(TARGET, ALIAS)
    opened.writer.write(TARGET, [document("a")])
    yield opened
    await opened.reader.close()
    opened.writer.close()


async def test_a_write_to_a_locked_index_ends_in_time_and_goes_on_when_it_is_free(
    engine: Engine, tmp_path: Path
) -> None:
    lock = tmp_path / "data" / "locks" / f"{TARGET.physical}.lock"
    with holding(FLOCK, lock) as process:
        with pytest.raises(Unavailable, match=f"written to by (process {process}|another process)"):
            engine.writer.write(TARGET, [document("b")])
        with pytest.raises(Unavailable, match="written to by"):
            engine.writer.drop(TARGET.physical)
        assert await ids(engine, SearchRequest(Everything(), 10)) == ["a"]
    assert engine.writer.write(TARGET, [document("b")])[0].status == "created"
    assert sorted(await ids(engine, SearchRequest(Everything(), 10))) == ["a", "b"]


async def test_a_lock_for_which_there_is_no_room_is_no_bug(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("filelock.FileLock._acquire", full)
        with pytest.raises(Unavailable, match="full"):
            engine.writer.write(TARGET, [document("b")])
    assert engine.writer.write(TARGET, [document("b")])[0].status == "created"
