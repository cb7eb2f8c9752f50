"""Replaced generations, and physical indices that nobody names."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from indexer.engines.port import Target
from indexer.errors import Unavailable
from indexer.index.generations import drop_orphans, orphans, retire
from indexer.index.putting import put_documents
from indexer.index.revisions import now_microseconds
from indexer.index.writing import write_documents
from indexer.library import Library
from indexer.reindex.rebuild import rebuild
from indexer.tenancy import ARCHIVE_INDEX, DocumentId, PhysicalName, TeamId
from tests.unit.indexer.memory_engine import LOCAL, MemoryWriter, document
from tests.unit.indexer.rebuilding import NOTES, RED, filled, old_name, statuses
from tests.unit.indexer.rebuilt import rebuilt

HOURS = 60 * 60 * 1_000_000


def swapped(grace: float) -> tuple[Library, MemoryWriter, PhysicalName]:
    library, writer = filled()
    library, old = replace(library, rebuild_grace=grace), old_name(library)
    rebuilt(library)
    return library, writer, old


def made(writer: MemoryWriter, index: str, age_hours: float, team: str = RED) -> PhysicalName:
    name = PhysicalName(f"trawl.{team}.{index}.{now_microseconds() - int(age_hours * HOURS)}")
    writer.create(Target(name, LOCAL), "unused")
    return name


def test_a_replaced_generation_stays_until_its_time_is_over() -> None:
    library, writer, old = swapped(grace=1_000)
    assert retire(library, RED, NOTES) == 0
    assert old in writer.indices


def test_a_replaced_generation_goes_when_its_time_is_over() -> None:
    library, writer, old = swapped(grace=0)
    assert retire(library, RED, NOTES) == 1
    assert old not in writer.indices
    assert library.registry.get(RED, NOTES).retired == ()
    assert retire(library, RED, NOTES) == 0


def test_writes_reach_a_replaced_generation_while_it_stays() -> None:
    library, writer, old = swapped(grace=1_000)
    write_documents(library, RED, NOTES, [document("b", library.clock.next())])
    assert set(writer.indices[old]) == {"a", "b"}


@pytest.mark.parametrize("by", ["a write", "a rebuild"])
def test_the_next_change_drops_it_too(by: str) -> None:
    library, writer, old = swapped(grace=0)
    if by == "a write":
        write_documents(library, RED, NOTES, [document("b", library.clock.next())])
    else:
        rebuilt(library, "j_2")
    assert old not in writer.indices


def test_a_write_does_not_fail_because_dropping_does() -> None:
    library, writer, _ = swapped(grace=0)

    def fail(_physical: PhysicalName) -> None:
        raise Unavailable("down", action="wait")

    writer.drop = fail  # type: ignore[assignment,method-assign]  # an engine that cannot drop now
    assert statuses(write_documents(library, RED, NOTES, [document("b", library.clock.next())])) == ["created"]


def test_the_alias_does_not_go_with_the_old_generation() -> None:
    library, writer, old = swapped(grace=0)
    record = library.registry.get(RED, NOTES)
    writer.publish(record.alias, old)
    retire(library, RED, NOTES)
    assert writer.aliases == {record.alias: old_name(library)}


def test_a_write_that_must_be_repeated_while_a_generation_is_dropped_is_taken() -> None:
    library, writer, old = swapped(grace=1_000)
    future = library.clock.next() + 10**12
    write_documents(library, RED, NOTES, [document("a", future)])
    revisions = writer.revisions

    def drop_first(target: Target, ids: Sequence[DocumentId]) -> dict[DocumentId, int]:
        writer.indices.pop(old, None)
        library.registry.change(RED, NOTES, lambda record: replace(record, retired=()))
        return revisions(target, ids)

    writer.revisions = drop_first  # type: ignore[method-assign]  # the moment to step in
    outcomes = put_documents(library, library.registry.get(RED, NOTES), [document("a", library.clock.next(), "mine")])
    assert statuses(outcomes) == ["updated"]


def test_only_old_physical_indices_that_nobody_names_are_orphans() -> None:
    library, writer = filled()
    serving = old_name(library)
    lost = [made(writer, "notes", 2), made(writer, "gone", 3), made(writer, str(ARCHIVE_INDEX), 4)]
    young = made(writer, "notes", 0.5)
    foreign = made(writer, "notes", 2, team="redder")
    odd = PhysicalName("trawl.red.notes.1.w")
    writer.create(Target(odd, LOCAL), "unused")
    assert orphans(library, RED) == lost
    assert drop_orphans(library, RED) == 3
    assert set(writer.indices) == {serving, young, foreign, odd}
    assert orphans(library, TeamId("nobody")) == []


def test_no_generation_that_an_entry_names_is_an_orphan(monkeypatch: pytest.MonkeyPatch) -> None:
    library, writer, _ = swapped(grace=1_000)
    later = now_microseconds() + 5 * HOURS
    monkeypatch.setattr("indexer.index.generations.now_microseconds", lambda: later)
    seen: list[int] = []

    def look(_step: str) -> None:
        assert orphans(library, RED) == []
        seen.append(len(writer.indices))

    rebuild(library, RED, NOTES, owner="j_2", progress=lambda _: None, cancelled=lambda: False, reached=look)
    assert seen == [3] * 5
