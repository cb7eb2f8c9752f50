"""Locks end in time, and the failure names who holds them."""

import fcntl
import multiprocessing
import os
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from indexer import lock_holders
from indexer.engines.tantivy.records import SqliteRecords
from indexer.errors import Unavailable
from indexer.file_lock import exclusive_lock
from indexer.secret_key import secret_keys
from indexer.settings import IndexerSettings
from tests.foreign_locks import BEGIN, FLOCK, holding

BUSY = "This index is being written to"
LINUX = pytest.mark.skipif(not Path("/proc/locks").exists(), reason="only Linux tells who holds a lock")


def test_a_lock_excludes_and_says_so_when_patience_ends(tmp_path: Path) -> None:
    path = tmp_path / "locks" / "one.lock"
    with (
        exclusive_lock(path, 1, BUSY),
        pytest.raises(Unavailable, match=rf"{BUSY} by this process \({os.getpid()}\)"),
        exclusive_lock(path, 0.02, BUSY),
    ):
        pass
    with exclusive_lock(path, 0.02, BUSY):
        pass


def _take_and_die(path: Path) -> None:
    with exclusive_lock(path, 1, BUSY):
        os._exit(9)


def test_a_process_that_dies_lets_go_of_its_lock(tmp_path: Path) -> None:
    path = tmp_path / "one.lock"
    process = multiprocessing.get_context("spawn").Process(target=_take_and_die, args=(path,))
    process.start()
    process.join(60)
    assert process.exitcode == 9
    with exclusive_lock(path, 0.02, BUSY):
        pass


@LINUX
def test_the_failure_names_a_holder_that_wrote_nothing_into_the_file(tmp_path: Path) -> None:
    path = tmp_path / "one.lock"
    path.write_text("1\n")
    with (
        holding(FLOCK, path) as process,
        pytest.raises(Unavailable, match=rf"by process {process} \(python") as failed,
        exclusive_lock(path, 0.02, BUSY),
    ):
        pass
    assert failed.value.command == "trawl doctor"


def test_without_the_kernel_the_file_names_the_holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_holders, "_KERNEL_LOCKS", tmp_path / "absent")
    path = tmp_path / "one.lock"
    with (
        exclusive_lock(path, 1, BUSY),
        pytest.raises(Unavailable, match=f"this process .{os.getpid()}"),
        exclusive_lock(path, 0.02, BUSY),
    ):
        pass


@pytest.mark.parametrize("noted", ["", "no number", "999999999", "0"])
def test_a_holder_that_is_not_known_is_not_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, noted: str) -> None:
    monkeypatch.setattr(lock_holders, "_KERNEL_LOCKS", tmp_path / "absent")
    path = tmp_path / "one.lock"
    path.write_text(noted)
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(Unavailable, match="by another process"), exclusive_lock(path, 0.02, BUSY):
            pass


def test_the_key_is_not_waited_for_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.secret_key.REQUEST_PATIENCE", 0.05)
    settings = IndexerSettings(_env_file=None, engine="tantivy", data_dir=tmp_path)
    with holding(FLOCK, tmp_path / "secret.key.lock"), pytest.raises(Unavailable, match="secret key"):
        secret_keys(settings)


@LINUX
def test_records_that_somebody_else_locks_can_be_read_and_say_who_locks_them(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite3"
    records = SqliteRecords(path, patience=0.2)
    made = records.put_if("job", "a", {}, None)
    with holding(BEGIN, path) as process:
        with pytest.raises(Unavailable, match=rf"locked by process {process} \(python"):
            records.put_if("job", "b", {}, None)
        assert records.get("job", "a") == made
    assert records.put_if("job", "b", {}, None)
    records.close()


def test_all_who_write_records_at_once_are_told_in_time(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite3"
    records = SqliteRecords(path, patience=0.5)
    assert records.put_if("job", "a", {}, None)
    failed: list[float] = []

    def write() -> None:
        began = time.monotonic()
        with pytest.raises(Unavailable):
            records.put_if("job", "b", {}, None)
        failed.append(time.monotonic() - began)

    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    threads = [threading.Thread(target=write) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.close()
    records.close()
    assert len(failed) == 6
    # One after the other they would take three seconds.
    assert max(failed) < 2
