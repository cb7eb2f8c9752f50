import pytest

from indexer.engines.port import Target, Written
from indexer.errors import NotFound, Unavailable
from indexer.index.putting import put_documents
from indexer.index.writing import write_documents
from indexer.tenancy import DEFAULT_INDEX, DocumentId
from tests.unit.indexer.memory_engine import LOCAL, document, memory_library
from tests.unit.indexer.rebuilding import NOTES, RED, SHADOW_NAME, A, build, filled, old_name, statuses, swap


def test_the_first_write_makes_the_physical_index_behind_its_alias() -> None:
    library, writer, _ = memory_library()
    assert not writer.indices
    assert statuses(write_documents(library, RED, DEFAULT_INDEX, [document("a", 1)])) == ["created"]
    [physical] = writer.indices
    assert writer.aliases == {"trawl.red.default": physical}
    assert writer.refreshed == [physical]


def test_two_first_writes_at_once_end_in_one_index() -> None:
    library, writer, _ = memory_library()
    create = writer.create

    def create_after_another(target: Target, alias: str) -> None:
        writer.create = create  # type: ignore[method-assign]  # once only
        create(target, alias)
        write_documents(library, RED, DEFAULT_INDEX, [document("theirs", 1)])

    writer.create = create_after_another  # type: ignore[method-assign]  # the moment to step in
    write_documents(library, RED, DEFAULT_INDEX, [document("mine", 1)])
    [physical] = writer.indices
    assert set(writer.indices[physical]) == {"theirs", "mine"}
    assert writer.aliases == {"trawl.red.default": physical}


def test_an_unknown_index_is_not_made_by_writing() -> None:
    library, writer, _ = memory_library()
    with pytest.raises(NotFound):
        write_documents(library, RED, NOTES, [document("a", 1)])
    assert not writer.indices


def test_while_a_rebuild_is_on_both_get_everything() -> None:
    library, writer = filled()
    build(library, writer)
    write_documents(library, RED, NOTES, [document("b", 2)])
    assert "b" in writer.indices[SHADOW_NAME]
    assert "b" in writer.indices[old_name(library)]


def test_a_rebuild_that_starts_during_a_write_gets_it_too() -> None:
    library, writer = filled()

    def start_building(_target: Target) -> None:
        writer.after = lambda _: None
        build(library, writer)

    writer.after = start_building
    assert statuses(write_documents(library, RED, NOTES, [document("b", 2)])) == ["created"]
    assert "b" in writer.indices[SHADOW_NAME]


def test_a_swap_during_a_write_loses_nothing() -> None:
    library, writer = filled()
    old = old_name(library)
    build(library, writer)

    def swap_after_the_first(target: Target) -> None:
        if target.physical == old:
            writer.after = lambda _: None
            swap(library)

    writer.after = swap_after_the_first
    write_documents(library, RED, NOTES, [document("b", 2)])
    assert "b" in writer.indices[SHADOW_NAME]
    assert "b" in writer.indices[old]


def test_a_failed_shadow_write_fails_the_build_and_not_the_call() -> None:
    library, writer = filled()
    build(library, writer)

    def fail(target: Target) -> None:
        if target.physical == SHADOW_NAME:
            raise Unavailable("down", action="wait")

    writer.before = fail
    assert statuses(write_documents(library, RED, NOTES, [document("b", 2)])) == ["created"]
    building = library.registry.get(RED, NOTES).shadow
    assert building is not None
    assert building.failed == "down"


def test_a_document_that_only_the_shadow_refuses_fails_the_build() -> None:
    library, writer = filled()
    build(library, writer)
    write = writer.write

    def refuse(target: Target, documents: list[object]) -> list[Written]:
        if target.physical == SHADOW_NAME:
            return [Written(DocumentId("b"), "failed", "refused")]
        return write(target, documents)  # type: ignore[arg-type]  # passed on

    writer.write = refuse  # type: ignore[assignment,method-assign]  # the shadow's own mind
    assert statuses(write_documents(library, RED, NOTES, [document("b", 2)])) == ["created"]
    building = library.registry.get(RED, NOTES).shadow
    assert building is not None
    assert building.failed


def test_a_failed_write_to_the_serving_index_fails_the_call() -> None:
    library, writer = filled()

    def fail(_target: Target) -> None:
        raise Unavailable("down", action="wait")

    writer.before = fail
    with pytest.raises(Unavailable):
        write_documents(library, RED, NOTES, [document("b", 2)])


def test_an_index_deleted_and_made_again_meanwhile_gets_the_write() -> None:
    library, writer = filled()

    def replace_it(target: Target) -> None:
        writer.before = lambda _: None
        library.registry.remove(RED, NOTES)
        writer.drop(target.physical)
        library.registry.create(RED, NOTES, LOCAL)

    writer.before = replace_it
    assert statuses(write_documents(library, RED, NOTES, [document("b", 2)])) == ["created"]
    assert set(writer.indices[old_name(library)]) == {"b"}


def test_an_index_deleted_meanwhile_is_not_found() -> None:
    library, writer = filled()

    def delete_it(target: Target) -> None:
        library.registry.remove(RED, NOTES)
        writer.drop(target.physical)

    writer.before = delete_it
    with pytest.raises(NotFound):
        write_documents(library, RED, NOTES, [document("b", 2)])


def test_lost_data_is_told_and_not_replaced_by_an_empty_index() -> None:
    library, writer = filled()
    writer.drop(old_name(library))
    with pytest.raises(Unavailable, match="gone from the engine"):
        write_documents(library, RED, NOTES, [document("b", 2)])
    assert not writer.indices


def test_a_workers_old_revision_stays_superseded() -> None:
    library, _ = filled()
    write_documents(library, RED, NOTES, [document("a", 5)])
    assert statuses(write_documents(library, RED, NOTES, [document("a", 3)])) == ["superseded"]


def test_an_interactive_write_wins_against_a_revision_from_the_future() -> None:
    library, writer = filled()
    future = library.clock.next() + 10**12
    write_documents(library, RED, NOTES, [document("a", future)])
    outcomes = put_documents(
        library,
        library.registry.get(RED, NOTES),
        [document("b", library.clock.next()), document("a", library.clock.next(), "newest")],
    )
    assert statuses(outcomes) == ["created", "updated"]
    stored = writer.indices[old_name(library)][A]
    assert stored.text == "newest"
    assert stored.revision > future
