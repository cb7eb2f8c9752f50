from collections.abc import Callable

from indexer.engines.port import Deletion, Target
from indexer.index.deleting import delete_documents
from indexer.index.deletion_log import expire_deletions, log_deletions, logged_deletions, logged_revisions
from indexer.index.putting import put_documents
from indexer.index.writing import newest_revisions, write_documents
from indexer.library import Library
from indexer.tenancy import DEFAULT_INDEX, DocumentId
from tests.unit.indexer.memory_engine import document, memory_library
from tests.unit.indexer.rebuilding import NOTES, RED, SHADOW_NAME, A, build, filled, old_name, statuses
from tests.unit.indexer.stepping import stepped


def test_a_deletion_is_noted_before_it_is_done() -> None:
    library, writer = filled()
    records = library.engine.records
    noted: list[int] = []
    writer.before = lambda _target: noted.append(logged_revisions(records, RED, NOTES, [A])[A])
    assert [outcome.status for outcome in delete_documents(library, RED, NOTES, [A])] == ["deleted"]
    assert noted[0] > 1
    assert logged_deletions(records, RED, NOTES) == [Deletion(A, noted[0])]


def test_a_deletion_reaches_the_shadow_too() -> None:
    library, writer = filled()
    build(library, writer)
    write_documents(library, RED, NOTES, [document("a", 2)])
    delete_documents(library, RED, NOTES, [A])
    assert writer.indices[SHADOW_NAME] == {}


def test_a_deletion_wins_against_a_revision_from_the_future() -> None:
    library, writer = filled()
    future = library.clock.next() + 10**12
    write_documents(library, RED, NOTES, [document("a", future)])
    assert [outcome.status for outcome in delete_documents(library, RED, NOTES, [A])] == ["deleted"]
    assert logged_revisions(library.engine.records, RED, NOTES, [A])[A] > future
    assert writer.indices[old_name(library)] == {}


def test_a_late_retry_does_not_bring_a_deleted_document_back() -> None:
    library, writer = filled()
    revision = library.clock.next()
    delete_documents(library, RED, NOTES, [A])
    assert statuses(write_documents(library, RED, NOTES, [document("a", revision)])) == ["superseded"]
    assert writer.indices[old_name(library)] == {}


def test_a_deletion_that_comes_during_a_write_wins_by_its_revision() -> None:
    library, writer = filled()
    revision = library.clock.next()

    def delete_first(_target: Target) -> None:
        writer.before = lambda _: None
        delete_documents(library, RED, NOTES, [A])

    writer.before = delete_first
    assert statuses(write_documents(library, RED, NOTES, [document("a", revision)])) == ["superseded"]
    assert writer.indices[old_name(library)] == {}


def test_a_newer_document_stays_after_a_deletion() -> None:
    library, writer = filled()
    delete_documents(library, RED, NOTES, [A])
    newer = [document("a", library.clock.next())]
    assert statuses(write_documents(library, RED, NOTES, newer)) == ["created"]
    assert A in writer.indices[old_name(library)]


def test_an_interactive_write_over_a_newer_deletion_is_made_again_above_it() -> None:
    library, writer = filled()
    revision = library.clock.next()
    delete_documents(library, RED, NOTES, [A])
    outcomes = put_documents(library, library.registry.get(RED, NOTES), [document("a", revision)])
    assert statuses(outcomes) == ["created"]
    stored = writer.indices[old_name(library)][A]
    assert stored.revision > logged_revisions(library.engine.records, RED, NOTES, [A])[A]


def test_nothing_is_deleted_from_an_index_that_was_never_written() -> None:
    library, writer, _ = memory_library()
    assert [outcome.status for outcome in delete_documents(library, RED, DEFAULT_INDEX, [A])] == ["absent"]
    assert not writer.indices


def test_old_notes_of_deletions_expire() -> None:
    library, _ = filled()
    records = library.engine.records
    delete_documents(library, RED, NOTES, [A])
    assert expire_deletions(records, older_than=60) == 0
    assert expire_deletions(records, older_than=-60) == 2
    assert logged_deletions(records, RED, NOTES) == []


MANY = [DocumentId(f"d{number}") for number in range(200)]


def calls(library: Library, work: Callable[[Library], object]) -> int:
    """Count the calls of the engine that a piece of work makes."""
    made: list[None] = []
    work(stepped(library, lambda: made.append(None)))
    return len(made)


def test_deleting_many_documents_takes_no_more_round_trips_than_deleting_one() -> None:
    library, _ = filled()
    one = calls(library, lambda counted: delete_documents(counted, RED, NOTES, [A]))
    assert calls(library, lambda counted: delete_documents(counted, RED, NOTES, MANY)) == one


def test_late_retries_of_many_deleted_documents_take_no_more_round_trips_than_one() -> None:
    library, _ = filled()
    late = [document(id_, library.clock.next()) for id_ in MANY]
    delete_documents(library, RED, NOTES, MANY)
    one = calls(library, lambda counted: write_documents(counted, RED, NOTES, late[:1]))
    assert calls(library, lambda counted: write_documents(counted, RED, NOTES, late)) == one


def test_the_newest_revisions_of_many_documents_take_no_more_round_trips_than_one() -> None:
    library, _ = filled()
    one = calls(library, lambda counted: newest_revisions(counted, counted.registry.get(RED, NOTES), [A]))
    assert calls(library, lambda counted: newest_revisions(counted, counted.registry.get(RED, NOTES), MANY)) == one


def test_the_log_keeps_the_highest_revision_of_a_document_that_is_deleted_twice() -> None:
    library, _ = filled()
    records = library.engine.records
    log_deletions(records, RED, NOTES, [Deletion(A, 7), Deletion(A, 5)])
    log_deletions(records, RED, NOTES, [Deletion(A, 6)])
    assert logged_deletions(records, RED, NOTES) == [Deletion(A, 7)]
