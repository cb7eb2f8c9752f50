import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from tantivy import Query

from indexer.engines.port import Target
from indexer.engines.tantivy.folder import Folder
from indexer.errors import MissingIndex, Unavailable
from indexer.schema.definition import Analysis, IndexDefinition
from indexer.tenancy import PhysicalName

TARGET = Target(PhysicalName("trawl.main.notes.1"), IndexDefinition("local", 1))


def other(name: str) -> Target:
    return replace(TARGET, physical=PhysicalName(name))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "data")


def test_an_index_exists_from_creation_to_drop(folder: Folder) -> None:
    with pytest.raises(MissingIndex):
        folder.open_index(TARGET)
    folder.create(TARGET)
    assert folder.open_index(TARGET).searcher().num_docs == 0
    folder.drop(TARGET.physical)
    with pytest.raises(MissingIndex):
        folder.open_index(TARGET)


def test_creating_and_dropping_twice_is_no_error(folder: Folder) -> None:
    folder.drop(TARGET.physical)
    folder.create(TARGET)
    opened = folder.open_index(TARGET)
    folder.create(TARGET)
    assert folder.open_index(TARGET) is opened
    folder.drop(TARGET.physical)
    folder.drop(TARGET.physical)


def test_names_are_listed_by_prefix_and_leftovers_are_not(folder: Folder, tmp_path: Path) -> None:
    assert folder.names("trawl.") == []
    for name in ("trawl.main.notes.2", "trawl.main.notes.1", "trawl.main2.notes.1"):
        folder.create(other(name))
    (tmp_path / "data" / "indices" / ".new-1").mkdir()
    assert folder.names("trawl.main.") == ["trawl.main.notes.1", "trawl.main.notes.2"]
    assert len(folder.names("")) == 3


def test_dropping_leaves_nothing_behind_also_of_processes_that_died(folder: Folder, tmp_path: Path) -> None:
    folder.create(TARGET)
    indices = tmp_path / "data" / "indices"
    (indices / ".dropped-1").mkdir()
    (indices / ".new-old").mkdir()
    os.utime(indices / ".new-old", (1, 1))
    (indices / ".new-young").mkdir()
    folder.drop(TARGET.physical)
    assert [path.name for path in indices.iterdir()] == [".new-young"]


def test_a_searcher_goes_on_after_its_index_is_dropped(folder: Folder) -> None:
    folder.create(TARGET)
    searcher = folder.open_index(TARGET).searcher()
    folder.drop(TARGET.physical)
    assert searcher.search(Query.all_query(), limit=1).hits == []


def test_a_new_index_of_the_same_name_is_not_mistaken_for_the_old_one(folder: Folder, tmp_path: Path) -> None:
    folder.create(TARGET)
    before = folder.open_index(TARGET)
    elsewhere = Folder(tmp_path / "data")
    elsewhere.drop(TARGET.physical)
    with pytest.raises(MissingIndex):
        before.searcher()
    elsewhere.create(TARGET)
    assert folder.open_index(TARGET) is not before


def test_another_definition_opens_the_index_anew(folder: Folder) -> None:
    folder.create(TARGET)
    before = folder.open_index(TARGET)
    changed = replace(TARGET, definition=IndexDefinition("local", 1, Analysis(language="none")))
    assert folder.open_index(changed) is not before


def test_threads_may_create_the_same_index_at_once(folder: Folder, tmp_path: Path) -> None:
    threads = [threading.Thread(target=folder.create, args=(TARGET,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [path.name for path in (tmp_path / "data" / "indices").iterdir()] == [TARGET.physical]
    assert folder.open_index(TARGET).searcher().num_docs == 0


def test_a_folder_of_another_origin_is_not_written_over(folder: Folder, tmp_path: Path) -> None:
    strange = tmp_path / "data" / "indices" / TARGET.physical
    strange.mkdir(parents=True)
    (strange / "mine.txt").write_text("mine")
    with pytest.raises(Unavailable):
        folder.create(TARGET)
    assert [path.name for path in strange.iterdir()] == ["mine.txt"]


def test_a_data_folder_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = Folder(tmp_path / "file" / "data")
    with pytest.raises(Unavailable):
        folder.check()


def test_a_healthy_folder_passes_the_check(folder: Folder) -> None:
    folder.check()
