"""A job whose files take the parser to its limit: other jobs are done in between, and it loses nothing by that."""

import os
import signal

import pytest

from tests.faults.processes import children
from tests.integration.jobs_worker import Workshop, wait_for
from tests.made_services import MAIN
from tests.unit.parsers.parser_files import slow_pdf
from workers.sources.arguments import FolderSource

HOSTILE = 6


@pytest.fixture(autouse=True)
def limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_PARSE_SECONDS", "2")
    monkeypatch.setenv("TRAWL_WORKER_SLICE_SECONDS", "1")
    monkeypatch.setenv("TRAWL_WORKER_PROCESSES", "1")


def ingest(shop: Workshop, name: str, files: dict[str, bytes]) -> str:
    folder = shop.files.parent / name
    folder.mkdir()
    for path, content in files.items():
        (folder / path).write_bytes(content)
    return shop.background.ingest(MAIN, FolderSource(type="folder", path=str(folder)))["job_id"]


def hostile(count: int = HOSTILE) -> dict[str, bytes]:
    return {f"{number}.pdf": slow_pdf() for number in range(count)}


def failed(shop: Workshop, job_id: str) -> int:
    return sum(chunk.value.result.failed for chunk in shop.jobs.chunks.list(f"{MAIN.team}/{job_id}/"))


def check_all_failed(shop: Workshop, job_id: str) -> None:
    """Wait for the end: each file failed by itself and once, and none was given up."""
    assert shop.counts(job_id) == (HOSTILE, 0, 0, 0, HOSTILE)
    reasons = {error["path"]: error["reason"] for error in shop.status(job_id)["errors"]}
    assert reasons == {f"hostile/{number}.pdf": "took longer than 2 s to read" for number in range(HOSTILE)}


def test_a_small_job_is_done_after_a_slice_of_one_whose_files_take_the_parser_to_its_limit(shop: Workshop) -> None:
    shop.start_worker()
    slow = ingest(shop, "hostile", hostile())
    wait_for(lambda: bool(shop.chunk_workers(slow)), "the hostile files to be read")
    small = ingest(shop, "one", {"a.md": b"A note"})
    assert shop.counts(small) == (1, 1, 0, 0, 0)
    assert shop.status(slow)["status"] == "running"
    assert failed(shop, slow) < HOSTILE - 1, "it waited for a slice, not for all files"
    check_all_failed(shop, slow)


def test_small_jobs_are_done_at_once_where_there_are_two_processes(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRAWL_WORKER_PROCESSES")
    monkeypatch.setenv("TRAWL_WORKER_SLICE_SECONDS", "600")
    monkeypatch.setenv("TRAWL_PARSE_SECONDS", "600")
    worker = shop.start_worker()
    slow = ingest(shop, "hostile", hostile())
    wait_for(lambda: bool(shop.chunk_workers(slow)), "the hostile files to be read")
    for number in range(3):
        assert shop.counts(ingest(shop, f"small{number}", {"a.md": b"A note"})) == (1, 1, 0, 0, 0)
    assert shop.status(slow)["status"] == "running"
    assert len(children(worker.pid)) == 2


def test_a_file_that_takes_long_is_put_off_for_another_job_and_its_end_is_not_waited_for(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRAWL_PARSE_SECONDS", "600")
    shop.start_worker()
    slow = ingest(shop, "hostile", {"0.md": b"A note", **hostile()})
    wait_for(lambda: bool(shop.chunk_workers(slow)), "the files to be read")
    small = ingest(shop, "one", {"a.md": b"A note"})
    assert shop.counts(small) == (1, 1, 0, 0, 0)
    [chunk] = shop.jobs.chunks.list(f"{MAIN.team}/{slow}/")
    assert (chunk.value.done, chunk.value.result.indexed, chunk.value.given_up) == (1, 1, 0)


def test_cancelling_a_job_ends_the_file_that_is_being_read(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_PARSE_SECONDS", "600")
    shop.start_worker()
    slow = ingest(shop, "hostile", hostile())
    wait_for(lambda: bool(shop.chunk_workers(slow)), "the hostile files to be read")
    shop.jobs.cancel(MAIN.team, slow)
    assert shop.counts(ingest(shop, "one", {"a.md": b"A note"})) == (1, 1, 0, 0, 0)
    assert not shop.chunk_workers(slow)


def test_a_process_killed_in_a_later_slice_loses_and_repeats_nothing_that_was_saved(shop: Workshop) -> None:
    worker = shop.start_worker()
    slow = ingest(shop, "hostile", hostile())
    wait_for(lambda: bool(shop.chunk_workers(slow)), "the hostile files to be read")
    small = ingest(shop, "one", {"a.md": b"A note"})
    assert shop.counts(small) == (1, 1, 0, 0, 0)
    wait_for(lambda: bool(shop.chunk_workers(slow)), "the next slice")
    saved = failed(shop, slow)
    assert 0 < saved < HOSTILE
    for pid in children(worker.pid):
        os.kill(pid, signal.SIGKILL)
    check_all_failed(shop, slow)
