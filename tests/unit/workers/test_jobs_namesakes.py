"""Two folders of the same name, whose documents have the same paths."""

from collections.abc import Callable

from indexer.archives.ids import file_id
from tests.unit.workers.jobs_workplace import ListedBroker, Shelf, asked, counts, do_all, documents
from workers.context import Workplace

Put = Callable[[Shelf], Shelf]
MIRROR = {"type": "folder", "path": "/notes", "mirror": True}


def texts(place: Workplace) -> set[str]:
    return {document.text for document in documents(place).values()}


def test_a_mirror_leaves_alone_what_came_from_another_folder(place: Workplace, broker: ListedBroker, put: Put) -> None:
    put(Shelf({"notes/a.md": "of one", "notes/b.md": "of one, too"}, origin="one"))
    do_all(place, broker, asked(place))
    other = put(Shelf({"notes/c.md": "of two"}, origin="two"))
    assert counts(do_all(place, broker, asked(place, source=MIRROR))) == (1, 1, 0, 0, 0)
    assert len(documents(place)) == 3
    other.files = {}
    assert counts(do_all(place, broker, asked(place, source=MIRROR))) == (0, 0, 0, 1, 0)
    assert set(documents(place)) == {file_id("notes/a.md"), file_id("notes/b.md")}


def test_the_last_file_of_a_path_is_the_document(place: Workplace, broker: ListedBroker, put: Put) -> None:
    put(Shelf({"notes/a.md": "of one", "notes/b.md": "of one, too"}, origin="one"))
    do_all(place, broker, asked(place))
    put(Shelf({"notes/a.md": "of two"}, origin="two"))
    assert counts(do_all(place, broker, asked(place))) == (1, 1, 0, 0, 0)
    assert texts(place) == {"of two", "of one, too"}
    put(Shelf({"notes/b.md": "of one, too"}, origin="one"))
    assert counts(do_all(place, broker, asked(place, source=MIRROR))) == (1, 0, 1, 0, 0)
    assert texts(place) == {"of two", "of one, too"}


def test_a_folder_that_was_moved_takes_its_documents_along(place: Workplace, broker: ListedBroker, put: Put) -> None:
    files = {"notes/a.md": "kept", "notes/b.md": "kept, too"}
    put(Shelf(files, origin="old place"))
    do_all(place, broker, asked(place))
    moved = put(Shelf(files, origin="new place"))
    assert counts(do_all(place, broker, asked(place))) == (2, 2, 0, 0, 0)
    assert counts(do_all(place, broker, asked(place))) == (2, 0, 2, 0, 0)
    del moved.files["notes/b.md"]
    assert counts(do_all(place, broker, asked(place, source=MIRROR))) == (1, 0, 1, 1, 0)
    assert set(documents(place)) == {file_id("notes/a.md")}
