"""What writers leave behind that were killed, or failed, before their commit was whole."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from indexer.engines.port import Deletion, Engine
from indexer.engines.tantivy.engine import open_engine
from tests.integration.tantivy_documents import ALIAS, TARGET, document, identity


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    opened = open_engine(tmp_path, search_timeout=60)
    opened.writer.create(TARGET, ALIAS)
    opened.writer.write(TARGET, [document("a"), document("b"), document("c")])
    return opened


@contextmanager
def interrupted(folder: Path) -> Iterator[None]:
    """Take back what makes it a commit: as if the writer within had died just before that."""
    committed = folder / "indices" / TARGET.physical / "meta.json"
    before = committed.read_bytes()
    yield
    committed.write_bytes(before)


def revisions(engine: Engine) -> dict[str, int]:
    return {one.id: one.revision for batch in engine.writer.scan(TARGET, text=False) for one in batch}


def test_the_same_write_again_succeeds_after_a_writer_died_before_its_commit(engine: Engine, tmp_path: Path) -> None:
    with interrupted(tmp_path):
        engine.writer.write(TARGET, [document("a", revision=2), document("b", revision=2)])
    again = open_engine(tmp_path, search_timeout=60)
    assert revisions(again) == {"a": 1, "b": 1, "c": 1}
    written = again.writer.write(TARGET, [document("a", revision=2), document("b", revision=2)])
    assert [one.status for one in written] == ["updated", "updated"]
    assert revisions(again) == {"a": 2, "b": 2, "c": 1}


def test_the_same_deletion_again_succeeds_after_a_writer_died_before_its_commit(engine: Engine, tmp_path: Path) -> None:
    with interrupted(tmp_path):
        engine.writer.delete(TARGET, [Deletion(identity("a"), 2)])
    again = open_engine(tmp_path, search_timeout=60)
    assert [one.status for one in again.writer.delete(TARGET, [Deletion(identity("a"), 2)])] == ["deleted"]
    assert revisions(again) == {"b": 1, "c": 1}
