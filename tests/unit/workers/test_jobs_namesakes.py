"""Two folders of the same name, whose documents have the same paths."""

from collections.abc import Callable

from indexer.archives.ids import file_id
from tests.unit.workers.jobs_workplace import ListedBroker, Shelf, asked, counts, do_all, documents
from workers.context import WorkerContext

Put = Callable[[Shelf], Shelf]
MIRROR = {"type": "folder", "path": "/notes", "mirror": True}


def texts(context: WorkerContext) -> set[str]:
    return {document.text for document in documents(context).values()}


def test_a_mirror_leaves_alone_what_came_from_another_folder(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    put(Shelf({"notes/a.md": "of one", "notes/b.md": "of one, too"}, origin="one"))
    do_all(context, broker, asked(context))
    other = put(Shelf({"notes/c.md": "of two"}, origin="two"))
    assert counts(do_all(context, broker, asked(context, source=MIRROR))) == (1, 1, 0, 0, 0)
    assert len(documents(context)) == 3
    other.files = {}
    assert counts(do_all(context, broker, asked(context, source=MIRROR))) == (0, 0, 0, 1, 0)
    assert set(documents(context)) == {file_id("notes/a.md"), file_id("notes/b.md")}


def test_the_last_file_of_a_path_is_the_document(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    put(Shelf({"notes/a.md": "of one", "notes/b.md": "of one, too"}, origin="one"))
    do_all(context, broker, asked(context))
    put(Shelf({"notes/a.md": "of two"}, origin="two"))
    assert counts(do_all(context, broker, asked(context))) == (1, 1, 0, 0, 0)
    assert texts(context) == {"of two", "of one, too"}
    put(Shelf({"notes/b.md": "of one, too"}, origin="one"))
    assert counts(do_all(context, broker, asked(context, source=MIRROR))) == (1, 0, 1, 0, 0)
    assert texts(context) == {"of two", "of one, too"}


def test_a_folder_that_was_moved_takes_its_documents_along(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    files = {"notes/a.md": "kept", "notes/b.md": "kept, too"}
    put(Shelf(files, origin="old place"))
    do_all(context, broker, asked(context))
    moved = put(Shelf(files, origin="new place"))
    assert counts(do_all(context, broker, asked(context))) == (2, 2, 0, 0, 0)
    assert counts(do_all(context, broker, asked(context))) == (2, 0, 2, 0, 0)
    del moved.files["notes/b.md"]
    assert counts(do_all(context, broker, asked(context, source=MIRROR))) == (1, 0, 1, 1, 0)
    assert set(documents(context)) == {file_id("notes/a.md")}
