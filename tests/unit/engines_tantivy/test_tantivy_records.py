import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from indexer.engines.tantivy.records import SqliteRecords
from indexer.errors import Unavailable

COUNTING = """
import sys
from pathlib import Path
from indexer.engines.tantivy.records import SqliteRecords
records = SqliteRecords(Path(sys.argv[1]))
for _ in range(int(sys.argv[2])):
    while True:
        current = records.get("counter", "one")
        revision = current.revision if current else None
        if records.put_if("counter", "one", {"n": (current.value["n"] if current else 0) + 1}, revision):
            break
records.close()
"""


@pytest.fixture
def records(tmp_path: Path) -> Iterator[SqliteRecords]:
    opened = SqliteRecords(tmp_path / "new" / "records.sqlite3")
    yield opened
    opened.close()


def test_a_record_is_made_once_and_read_back(records: SqliteRecords) -> None:
    made = records.put_if("token", "a", {"x": [1, "é", None]}, None)
    assert made is not None
    assert records.get("token", "a") == made
    assert made.value == {"x": [1, "é", None]}
    assert records.put_if("token", "a", {}, None) is None
    assert records.get("token", "b") is None
    assert records.get("job", "a") is None


def test_a_record_changes_only_by_its_current_revision(records: SqliteRecords) -> None:
    first = records.put_if("job", "a", {"n": 1}, None)
    assert first is not None
    second = records.put_if("job", "a", {"n": 2}, first.revision)
    assert second is not None
    assert records.put_if("job", "a", {"n": 3}, first.revision) is None
    assert records.get("job", "a") == second
    assert records.put_if("job", "absent", {}, first.revision) is None


def test_a_record_is_deleted_only_by_its_current_revision(records: SqliteRecords) -> None:
    first = records.put_if("job", "a", {"n": 1}, None)
    assert first is not None
    second = records.put_if("job", "a", {"n": 2}, first.revision)
    assert second is not None
    assert not records.delete_if("job", "a", first.revision)
    assert records.delete_if("job", "a", second.revision)
    assert not records.delete_if("job", "a", second.revision)
    assert records.get("job", "a") is None


def test_a_revision_from_before_a_deletion_is_never_current_again(records: SqliteRecords) -> None:
    old = records.put_if("job", "a", {"n": 1}, None)
    assert old is not None
    assert records.delete_if("job", "a", old.revision)
    assert records.put_if("job", "a", {"n": 1}, None) is not None
    assert records.put_if("job", "a", {"n": 2}, old.revision) is None


def test_a_list_has_one_kind_and_one_prefix_by_key(records: SqliteRecords) -> None:
    for key in ("b.2", "a%1", "b.1", "b", "ü", "b😀", "a_1", "c"):
        assert records.put_if("job", key, {}, None)
    assert records.put_if("token", "b.3", {}, None)
    assert [record.key for record in records.list("job", "b")] == ["b", "b.1", "b.2", "b😀"]
    assert [record.key for record in records.list("job", "a_")] == ["a_1"]
    assert [record.key for record in records.list("job")] == sorted(["b.2", "a%1", "b.1", "b", "ü", "b😀", "a_1", "c"])
    assert records.list("other") == []


def test_threads_share_the_records_without_loss(records: SqliteRecords) -> None:
    def add(number: int) -> None:
        while True:
            current = records.get("counter", "one")
            total = (current.value["n"] if current else 0) + number
            if records.put_if("counter", "one", {"n": total}, current.revision if current else None):
                return

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(add, range(1, 41)))
    found = records.get("counter", "one")
    assert found is not None
    assert found.value == {"n": sum(range(1, 41))}


def test_processes_that_start_at_once_share_the_records_without_loss(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite3"
    command = [sys.executable, "-c", COUNTING, str(path), "25"]
    processes = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(120) for process in processes] == [0, 0, 0]
    records = SqliteRecords(path)
    found = records.get("counter", "one")
    records.close()
    assert found is not None
    assert found.value == {"n": 75}


def test_what_is_written_survives_closing(tmp_path: Path) -> None:
    records = SqliteRecords(tmp_path / "records.sqlite3")
    made = records.put_if("job", "a", {"n": 1}, None)
    records.close()
    assert records.get("job", "a") == made
    records.close()


def test_every_commit_goes_to_the_disk(records: SqliteRecords) -> None:
    records.put_if("job", "a", {}, None)
    with records._writing() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_forked_process_opens_its_own_connection(records: SqliteRecords) -> None:
    assert records.put_if("job", "a", {}, None)
    with records._writing() as inherited:
        records._for_writes._process = os.getpid() + 1
    assert records.put_if("job", "b", {}, None)
    with records._writing() as own:
        assert own is not inherited
    inherited.close()


def test_a_damaged_file_is_unavailable_and_names_the_doctor(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite3"
    path.write_bytes(b"no database " * 1_000)
    with pytest.raises(Unavailable) as caught:
        SqliteRecords(path).get("job", "a")
    assert caught.value.command == "trawl doctor"


def test_a_place_that_cannot_be_written_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="cannot be written"):
        SqliteRecords(tmp_path / "file" / "records.sqlite3").get("job", "a")
