"""What makes a rebuild fail while the index serves on."""

from contextlib import ExitStack

import pytest

from indexer.engines.port import Document, Target, Written
from indexer.errors import Conflict, Invalid, NotFound, Unavailable
from indexer.index.deleting import delete_documents
from indexer.index.writing import write_documents
from indexer.reindex.session import rebuilding
from indexer.tenancy import DocumentId
from tests.unit.indexer.memory_engine import LOCAL, document
from tests.unit.indexer.rebuilding import NOTES, RED, filled, old_name, statuses
from tests.unit.indexer.rebuilt import at_shadow, only_the_old_is_left, rebuilt, serving


def test_whatever_fails_inside_discards_the_shadow() -> None:
    library, writer = filled()
    old = old_name(library)
    with pytest.raises(ZeroDivisionError), rebuilding(library, RED, NOTES, LOCAL, "j_1"):
        raise ZeroDivisionError
    only_the_old_is_left(library, writer, old)


def test_a_failed_write_to_the_shadow_ends_the_rebuild_and_not_the_call() -> None:
    library, writer = filled()
    old = old_name(library)

    def refuse(target: Target) -> None:
        if target.physical != old:
            raise Unavailable("disk full", action="wait")

    def write() -> None:
        writer.before = refuse
        assert statuses(write_documents(library, RED, NOTES, [document("b", library.clock.next())])) == ["created"]
        writer.before = lambda _: None

    at_shadow(writer, old, write)
    with pytest.raises(Unavailable, match="disk full"):
        rebuilt(library)
    only_the_old_is_left(library, writer, old)
    assert set(writer.indices[old]) == {"a", "b"}


def test_a_shadow_that_vanishes_fails_its_build_and_no_write() -> None:
    library, writer = filled()
    with ExitStack() as stack:
        build = stack.enter_context(rebuilding(library, RED, NOTES, LOCAL, "j_1"))
        writer.drop(build.shadow.physical)
        assert statuses(write_documents(library, RED, NOTES, [document("b", library.clock.next())])) == ["created"]
        with pytest.raises(Unavailable, match="gone from the engine"):
            build.check()
        with pytest.raises(Conflict):
            stack.close()


def test_a_document_that_cannot_be_taken_over_is_named() -> None:
    library, writer = filled()
    old, write = old_name(library), writer.write

    def refuse(target: Target, documents: list[Document]) -> list[Written]:
        if target.physical == old:
            return write(target, documents)
        return [Written(one.id, "failed", "too odd") for one in documents]

    writer.write = refuse  # type: ignore[assignment,method-assign]  # the shadow's own mind
    with pytest.raises(Invalid, match="too odd") as failure:
        rebuilt(library)
    assert failure.value.details == {"doc_id": "a"}
    only_the_old_is_left(library, writer, old)


def test_an_index_deleted_meanwhile_ends_the_rebuild() -> None:
    library, writer = filled()

    def delete() -> None:
        for target in library.registry.remove(RED, NOTES).all_physical():
            writer.drop(target.physical)

    at_shadow(writer, old_name(library), delete)
    with pytest.raises((Conflict, NotFound)):
        rebuilt(library)
    assert not writer.indices


def test_an_index_made_again_meanwhile_is_left_alone() -> None:
    library, writer = filled()

    def replace_it() -> None:
        for target in library.registry.remove(RED, NOTES).all_physical():
            writer.drop(target.physical)
        library.registry.create(RED, NOTES, LOCAL)
        write_documents(library, RED, NOTES, [document("new", library.clock.next())])

    at_shadow(writer, old_name(library), replace_it)
    with pytest.raises(Conflict):
        rebuilt(library)
    assert set(writer.indices[serving(library).physical]) == {"new"}
    assert len(writer.indices) == 1


def test_what_is_deleted_while_it_is_copied_stays_deleted() -> None:
    library, writer = filled()
    a = DocumentId("a")

    def delete_then_bring_back_in_the_shadow() -> None:
        shadow = library.registry.get(RED, NOTES).shadow_target()
        assert shadow is not None
        copied = writer.indices[shadow.physical][a]
        delete_documents(library, RED, NOTES, [a])
        writer.indices[shadow.physical][a] = copied

    at_shadow(writer, old_name(library), delete_then_bring_back_in_the_shadow)
    assert rebuilt(library).documents == 0
    assert writer.indices[serving(library).physical] == {}
