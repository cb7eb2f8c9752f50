"""A rebuild that dies at any call of the engine: the index serves on, and whoever comes next finishes."""

from dataclasses import replace

import pytest

from indexer.errors import Conflict
from indexer.index.deleting import delete_documents
from indexer.index.generations import drop_orphans, retire
from indexer.index.writing import write_documents
from indexer.library import Library
from indexer.reindex.rebuild import Abandoned, RebuildReport, abandoned, rebuild
from indexer.reindex.session import discard
from indexer.tenancy import DocumentId
from tests.unit.indexer.memory_engine import LOCAL, MemoryWriter, document, memory_library
from tests.unit.indexer.rebuilding import NOTES, RED
from tests.unit.indexer.stepping import Killed, dying_at, stepped

MOST_CALLS = 200


def rebuilt(library: Library, owner: str = "j_1") -> RebuildReport:
    return rebuild(library, RED, NOTES, owner=owner, progress=lambda _: None, cancelled=lambda: False)


def filled() -> tuple[Library, MemoryWriter]:
    library, writer, _ = memory_library()
    library.registry.create(RED, NOTES, LOCAL)
    write_documents(library, RED, NOTES, [document(name, library.clock.next()) for name in "abc"])
    delete_documents(library, RED, NOTES, [DocumentId("c")])
    return library, writer


def calls_of_a_rebuild() -> int:
    """Count the calls of the engine that a whole rebuild makes."""
    made = 0

    def count() -> None:
        nonlocal made
        made += 1

    library, _ = filled()
    rebuilt(stepped(library, count))
    return made


CALLS = range(calls_of_a_rebuild())


def killed(call: int) -> tuple[Library, MemoryWriter]:
    library, writer = filled()
    with pytest.raises(Killed):
        rebuilt(stepped(library, dying_at(call)))
    return library, writer


def served(library: Library, writer: MemoryWriter) -> set[str]:
    target = library.registry.get(RED, NOTES).serving_target()
    assert target is not None
    return set(writer.indices[target.physical])


def test_a_rebuild_makes_some_calls_and_not_too_many() -> None:
    assert 20 < len(CALLS) < MOST_CALLS


@pytest.mark.parametrize("call", CALLS)
def test_the_index_serves_on_and_takes_writes_after_a_death(call: int) -> None:
    library, writer = killed(call)
    assert served(library, writer) == {"a", "b"}
    write_documents(library, RED, NOTES, [document("d", library.clock.next())])
    delete_documents(library, RED, NOTES, [DocumentId("a")])
    assert served(library, writer) == {"b", "d"}


@pytest.mark.parametrize("call", CALLS)
def test_the_same_owner_finishes_what_died(call: int) -> None:
    library, writer = killed(call)
    write_documents(library, RED, NOTES, [document("d", library.clock.next())])
    delete_documents(library, RED, NOTES, [DocumentId("a")])
    report = rebuilt(library)
    record = library.registry.get(RED, NOTES)
    assert record.serving is not None
    assert report == RebuildReport(2, record.serving.number, resumed=report.resumed)
    assert served(library, writer) == {"b", "d"}
    assert len(record.retired) == 1
    assert writer.aliases == {record.alias: record.target(record.serving).physical}


@pytest.mark.parametrize("call", CALLS)
def test_another_owner_finishes_after_the_dead_one_is_discarded(call: int) -> None:
    library, writer = killed(call)
    for build in abandoned(library, lambda owner: owner != "j_1"):
        assert build == Abandoned(RED, NOTES, "j_1", build.generation)
        with pytest.raises(Conflict, match="by j_1"):
            rebuilt(library, "j_2")
        assert discard(library, RED, NOTES, build.generation)
    delete_documents(library, RED, NOTES, [DocumentId("a")])
    assert rebuilt(library, "j_2").documents == 1
    assert served(library, writer) == {"b"}
    assert abandoned(library, lambda _owner: False) == []


@pytest.mark.parametrize("call", CALLS)
def test_nothing_of_a_dead_rebuild_is_left_in_the_end(call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    library, writer = killed(call)
    library = replace(library, rebuild_grace=0)
    for build in abandoned(library, lambda _owner: False):
        discard(library, RED, NOTES, build.generation)
    rebuilt(library, "j_2")
    monkeypatch.setattr(
        "indexer.index.generations.now_microseconds", lambda: library.clock.next() + 2 * 60 * 60 * 1_000_000
    )
    monkeypatch.setattr("indexer.index.generations.time.time", lambda: 2.0**40)
    retire(library, RED, NOTES)
    drop_orphans(library, RED)
    target = library.registry.get(RED, NOTES).serving_target()
    assert target is not None
    assert list(writer.indices) == [target.physical]
    assert served(library, writer) == {"a", "b"}
