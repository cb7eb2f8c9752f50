"""What a rebuild makes of differences between the old index and the new one."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from indexer.engines.port import Deletion, Document, Target
from indexer.errors import Unavailable
from indexer.index.deletion_log import log_deletions
from indexer.index.writing import write_documents
from indexer.library import Library
from indexer.reindex.backfill import copy_documents
from indexer.reindex.session import RebuildSession, rebuilding
from indexer.reindex.verify import differing, verify
from indexer.tenancy import DocumentId
from tests.unit.indexer.memory_engine import LOCAL, MemoryWriter, document, memory_library
from tests.unit.indexer.rebuilding import NOTES, RED

A, B = DocumentId("a"), DocumentId("b")


def go_on() -> None:
    """Nobody stops the work."""


@contextmanager
def copied(*documents: Document) -> Iterator[tuple[Library, MemoryWriter, RebuildSession]]:
    """A shadow that has been filled, and is discarded after the test."""
    library, writer, _ = memory_library()
    library.registry.create(RED, NOTES, LOCAL)
    write_documents(library, RED, NOTES, list(documents))
    with rebuilding(library, RED, NOTES, LOCAL, "j_1") as build:
        copy_documents(build, lambda _: None)
        yield library, writer, build


def test_two_equal_indices_differ_in_nothing() -> None:
    with copied(document("a", 1), document("b", 2)) as (_, _, build):
        assert differing(build, go_on) == []
        assert verify(build, go_on) == 2


def test_missing_older_and_foreign_documents_are_found() -> None:
    with copied(*(document(f"d{n}", 5) for n in range(50))) as (_, writer, build):
        shadow = writer.indices[build.shadow.physical]
        del shadow[DocumentId("d7")]
        shadow[DocumentId("d8")] = document("d8", 4)
        shadow[DocumentId("x")] = document("x", 1)
        assert differing(build, go_on) == ["d7", "d8", "x"]
        del shadow[DocumentId("x")]
        assert verify(build, go_on) == 50
        assert differing(build, go_on) == []


def test_a_document_that_is_there_twice_is_a_difference() -> None:
    with copied(document("a", 1)) as (_, writer, build):
        scan = writer.scan

        def twice(target: Target, *, text: bool) -> Iterator[list[Document]]:
            for batch in scan(target, text=text):
                yield batch + batch if target == build.shadow else batch

        writer.scan = twice  # type: ignore[method-assign]  # an engine that went wrong
        with pytest.raises(Unavailable, match="differs"):
            verify(build, go_on)


def test_what_a_dead_writer_left_half_done_is_finished() -> None:
    with copied(document("a", 1)) as (_, writer, build):
        writer.write(build.old, [document("a", 3, "newer"), document("b", 2)])
        assert verify(build, go_on) == 2
        assert writer.indices[build.shadow.physical] == writer.indices[build.old.physical]


def test_what_a_dead_deleter_left_half_done_is_finished() -> None:
    with copied(document("a", 1), document("b", 1)) as (library, writer, build):
        log_deletions(library.engine.records, RED, NOTES, [Deletion(A, 2), Deletion(B, 2)])
        writer.delete(build.old, [Deletion(A, 2)])
        writer.delete(build.shadow, [Deletion(B, 2)])
        assert verify(build, go_on) == 0
        assert B in writer.indices[build.old.physical]


def test_a_deletion_that_comes_while_a_document_is_finished_wins() -> None:
    with copied(document("a", 1)) as (library, writer, build):
        writer.write(build.old, [document("a", 3)])

        def delete(target: Target) -> None:
            if target == build.shadow:
                writer.before = lambda _: None
                log_deletions(library.engine.records, RED, NOTES, [Deletion(A, 4)])
                writer.delete(build.shadow, [Deletion(A, 4)])

        writer.before = delete
        assert verify(build, go_on) == 0


def test_a_document_that_only_the_new_index_has_fails_the_build() -> None:
    with copied(document("a", 1)) as (library, writer, build):
        writer.indices[build.old.physical].clear()
        with pytest.raises(Unavailable, match="in 1 documents"):
            verify(build, go_on)
        log_deletions(library.engine.records, RED, NOTES, [Deletion(A, 2)])
        assert verify(build, go_on) == 0


def test_an_engine_that_forgets_what_it_took_fails_the_build() -> None:
    with copied(document("a", 1), document("b", 1)) as (_, writer, build):
        del writer.indices[build.shadow.physical][A]
        writer.after = lambda target: writer.indices[target.physical].update({A: document("a", 0)})
        with pytest.raises(Unavailable, match="in 1 documents"):
            verify(build, go_on)
        writer.after = lambda _: None
        assert verify(build, go_on) == 2
