"""Writers, deleters and a rebuild in many orders, each decided by a seed: none may lose or bring back anything."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from indexer.engines.port import Document, Target
from indexer.index.deleting import delete_documents
from indexer.index.putting import put_documents
from indexer.index.record import IndexRecord
from indexer.index.writing import write_documents
from indexer.library import Library
from indexer.reindex.rebuild import rebuild
from indexer.tenancy import DocumentId
from tests.unit.indexer.memory_engine import LOCAL, MemoryWriter, document, memory_library
from tests.unit.indexer.rebuilding import NOTES, RED
from tests.unit.indexer.stepping import Killed, Turns, stepped

OPERATIONS = 6
SEEDS = range(60)
LATE = "late"


class PiecemealWriter(MemoryWriter):
    """Scans give one document at a time, so that much can happen between them."""

    def scan(self, target: Target, *, text: bool) -> Iterator[list[Document]]:
        for batch in super().scan(target, text=text):
            yield from ([one] for one in batch)


class Author:
    """Writes and deletes documents of its own, so that it knows what must be there."""

    def __init__(self, name: str, seed: int, library: Library) -> None:
        self.library = library
        self.random = random.Random(f"{name} {seed}")
        self.ids = [DocumentId(f"{name}{n}") for n in range(3)]
        self.possible: dict[DocumentId, set[str | None]] = {id_: {None} for id_ in self.ids}
        """What may be there: one text or nothing; several only while a call runs, or after a death in it."""
        self.held: dict[DocumentId, tuple[int, bool]] = {}
        """Revisions of writes to be tried again, and whether the document was changed since."""

    def work(self) -> None:
        for number in range(OPERATIONS):
            id_ = self.random.choice(self.ids)
            before = self.library.registry.get(RED, NOTES)
            self.random.choice((self.put, self.put, self.delete, self.retry))(id_, f"text {number // 2}")
            self.look(id_, before)

    def put(self, id_: DocumentId, text: str) -> None:
        self.possible[id_] = self.possible[id_] | {text}
        [outcome] = put_documents(
            self.library, self.library.registry.get(RED, NOTES), [document(id_, self.library.clock.next(), text)]
        )
        assert outcome.status in {"created", "updated"}
        self.changed(id_, {text})

    def delete(self, id_: DocumentId, _text: str) -> None:
        self.possible[id_] = self.possible[id_] | {None}
        assert delete_documents(self.library, RED, NOTES, [id_])[0].status in {"deleted", "absent"}
        self.changed(id_, {None})

    def retry(self, id_: DocumentId, _text: str) -> None:
        """Write, at a second try, with the revision of the first: what was changed since stays as it is."""
        if id_ not in self.held:
            self.held[id_] = self.library.clock.next(), False
            return
        revision, stale = self.held.pop(id_)
        wanted: set[str | None] = self.possible[id_] if stale else {LATE}
        self.possible[id_] = self.possible[id_] | {LATE}
        write_documents(self.library, RED, NOTES, [document(id_, revision, LATE)])
        self.possible[id_] = wanted

    def changed(self, id_: DocumentId, wanted: set[str | None]) -> None:
        self.possible[id_] = wanted
        if id_ in self.held:
            self.held[id_] = self.held[id_][0], True

    def look(self, id_: DocumentId, before: IndexRecord) -> None:
        """What was acknowledged is seen at once, also by a reader whose record is from before."""
        for record in (before, self.library.registry.get(RED, NOTES)):
            target = record.serving_target()
            assert target is not None
            [found] = self.library.engine.writer.get_many(target, [id_], text=True)
            assert (found.text if found else None) in self.possible[id_]


def prepared() -> tuple[Library, PiecemealWriter]:
    library, _, _ = memory_library()
    writer = PiecemealWriter()
    library = replace(library, engine=replace(library.engine, writer=writer))
    library.registry.create(RED, NOTES, LOCAL)
    first = [document(f"first{n}", library.clock.next()) for n in range(4)]
    write_documents(library, RED, NOTES, first)
    return library, writer


def mortal(point: Callable[[], None], chance: random.Random, one_in: int) -> Callable[[], None]:
    def step() -> None:
        point()
        if chance.randrange(one_in) == 0:
            raise Killed

    return step


def until_done(library: Library, owner: str) -> None:
    """Rebuild; whoever is killed is called again."""
    while True:
        try:
            rebuild(library, RED, NOTES, owner=owner, progress=lambda _: None, cancelled=lambda: False)
        except Killed:
            continue
        return


def check(library: Library, writer: MemoryWriter, authors: list[Author]) -> None:
    record = library.registry.get(RED, NOTES)
    target = record.serving_target()
    assert target is not None
    found: dict[DocumentId, str | None] = {id_: one.text for id_, one in writer.indices[target.physical].items()}
    for author in authors:
        for id_ in author.ids:
            assert found.pop(id_, None) in author.possible[id_]
    assert set(found) == {f"first{n}" for n in range(4)}
    assert record.shadow is None
    assert writer.aliases[record.alias] == target.physical


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_lost_and_nothing_comes_back_whatever_the_order(seed: int) -> None:
    library, writer = prepared()
    old = library.registry.get(RED, NOTES).serving_target()
    turns = Turns(seed)
    authors = [Author(name, seed, stepped(library, turns.point)) for name in "ab"]
    rebuilder = stepped(library, turns.point)
    turns.run([*(author.work for author in authors), lambda: until_done(rebuilder, "j_1")])
    check(library, writer, authors)
    record = library.registry.get(RED, NOTES)
    assert record.serving_target() != old
    assert set(writer.indices) == {target.physical for target in record.all_physical()}


@pytest.mark.parametrize("seed", SEEDS)
def test_neither_writers_nor_rebuilders_that_die_do_harm(seed: int) -> None:
    library, writer = prepared()
    turns, chance = Turns(seed), random.Random(seed)
    authors = [Author(name, seed, stepped(library, mortal(turns.point, chance, 40))) for name in "abc"]
    rebuilder = stepped(library, mortal(turns.point, chance, 60))

    def until_killed(author: Author) -> None:
        try:
            author.work()
        except Killed:
            return

    works = [lambda author=author: until_killed(author) for author in authors]
    turns.run([*works, lambda: until_done(rebuilder, "j_1")])
    check(library, writer, authors)
