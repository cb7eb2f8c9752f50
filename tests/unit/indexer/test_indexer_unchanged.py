"""Puts of unchanged documents while others write, delete, rebuild, or the engine fails."""

from dataclasses import replace

import pytest

from indexer.engines.port import Deletion, Document, Target
from indexer.errors import Unavailable
from indexer.index.deletion_log import log_deletions
from indexer.index.putting import put_documents
from indexer.index.unchanged import find_unchanged
from indexer.index.writing import write_documents
from indexer.library import Library
from indexer.local.arguments import AddDocuments
from indexer.local.documents import add_documents
from indexer.tenancy import DocumentId, Principal
from tests.unit.indexer.memory_engine import MemoryWriter, document
from tests.unit.indexer.rebuilding import NOTES, RED, SHADOW_NAME, A, build, filled, old_name, statuses, swap
from tests.unit.indexer.stepping import stepped


def put(library: Library, *documents: Document) -> list[str]:
    return statuses(put_documents(library, library.registry.get(RED, NOTES), documents))


async def test_a_call_makes_six_requests_however_many_new_documents_it_adds() -> None:
    library, writer = filled()
    made: list[None] = []
    counted = stepped(library, lambda: made.append(None))
    caller = Principal(RED, "somebody")
    for number in (1, 200):
        made.clear()
        given = [{"doc_id": f"{number}-{each}", "content": "reef"} for each in range(number)]
        added = await add_documents(counted, caller, AddDocuments(documents=given, index_name=NOTES))
        assert added["indexed"] == number
        # The registry, which documents exist, the write, the registry again, the refresh, the deletion log.
        assert len(made) == 6
    assert len(writer.indices[old_name(library)]) == 202


def stored(library: Library, writer: MemoryWriter) -> Document:
    return writer.indices[old_name(library)][A]


def test_an_unchanged_document_keeps_its_revision() -> None:
    library, writer = filled()
    assert put(library, document("a", library.clock.next())) == ["updated"]
    assert stored(library, writer).revision == 1
    assert put(library, document("a", library.clock.next(), "reef")) == ["updated"]
    assert stored(library, writer).revision > 1


def test_a_shadow_that_lacks_an_unchanged_document_gets_it_with_its_revision() -> None:
    library, writer = filled()
    build(library, writer)
    assert put(library, document("a", library.clock.next())) == ["updated"]
    assert writer.indices[SHADOW_NAME][A] == stored(library, writer)
    assert writer.indices[SHADOW_NAME][A].revision == 1


def test_a_shadow_that_is_registered_after_the_read_gets_it_too() -> None:
    library, writer = filled()

    def start_building(_target: Target) -> None:
        writer.after = lambda _: None
        build(library, writer)

    writer.after = start_building
    assert put(library, document("a", library.clock.next())) == ["updated"]
    assert writer.indices[SHADOW_NAME][A].revision == 1


def test_a_swap_after_the_read_loses_nothing() -> None:
    library, writer = filled()
    build(library, writer)

    def swap_first(_target: Target) -> None:
        writer.before = lambda _: None
        swap(library)

    writer.before = swap_first
    assert put(library, document("a", library.clock.next())) == ["updated"]
    assert writer.indices[SHADOW_NAME][A].revision == 1


def test_a_newer_write_after_the_read_stays() -> None:
    library, writer = filled()

    def write_first(_target: Target) -> None:
        writer.before = lambda _: None
        write_documents(library, RED, NOTES, [document("a", library.clock.next(), "reef")])

    writer.before = write_first
    assert put(library, document("a", library.clock.next())) == ["updated"]
    assert stored(library, writer).text == "reef"


def test_a_deletion_that_was_logged_and_never_applied_takes_nothing_away() -> None:
    library, writer = filled()
    deletion = Deletion(A, library.clock.next())
    log_deletions(library.engine.records, RED, NOTES, [deletion])
    assert put(library, document("a", library.clock.next())) == ["created"]
    assert stored(library, writer).revision > deletion.revision


def test_documents_that_cannot_be_read_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    library, writer = filled()

    def fail(*_: object, **__: object) -> list[Document | None]:
        raise Unavailable("no shard", action="wait")

    monkeypatch.setattr(writer, "get_many", fail)
    assert put(library, document("a", library.clock.next())) == ["updated"]
    assert stored(library, writer).revision > 1


def test_a_batch_is_read_in_parts_and_compared_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    library, writer = filled()
    documents = [document(f"d{number}", 2) for number in range(50)]
    write_documents(library, RED, NOTES, documents)
    read: list[int] = []
    get_many = writer.get_many

    def counted(target: Target, ids: list[DocumentId], *, text: bool) -> list[Document | None]:
        read.append(len(ids))
        return get_many(target, ids, text=text)

    monkeypatch.setattr(writer, "get_many", counted)
    target = library.registry.get(RED, NOTES).targets()[0]
    given = [replace(one, revision=9) for one in documents]
    last = [document("d0", 9, "reef"), document("d0", 10), document("d0", 11)]
    found = find_unchanged(writer, target, [*given, *last])
    assert found == [*documents, None, None, replace(last[1], revision=10)]
    assert read == [20, 20, 10]
