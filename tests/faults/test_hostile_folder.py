"""A folder of good files among hostile ones: the good ones are found, the bad ones named, and the worker lives on."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

import pytest

from indexer.archives.arguments import SearchLocalArchives
from indexer.archives.search import search_archive
from tests.faults.hostile_files import MEGABYTE, OUTSIDE, WORD, lay_out
from tests.faults.processes import WatchingMemory, children
from tests.integration.jobs_worker import Workshop, wait_for, workshop
from tests.made_services import MAIN
from tests.redis import RedisServer
from workers.sources.names import shown

FILE_MEMORY = 800 * MEGABYTE
"""What one file may take."""
READER_ITSELF = 200 * MEGABYTE
WORKER_ITSELF = 500 * MEGABYTE
"""More than it needs to hold the largest file that it may read, and to send it to the reader."""

needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are watched in /proc")


def found_paths(shop: Workshop) -> list[str]:
    """Return the paths of all documents that a search for the word finds."""
    paths: list[str] = []
    cursor: str | None = None
    while True:
        asked = SearchLocalArchives(query=WORD, fuzzy=False, limit=50, cursor=cursor)
        page = asyncio.run(search_archive(shop.library, MAIN, asked))
        paths += [hit["document"]["path"] for hit in page["results"]]
        cursor = page["next_cursor"]
        if cursor is None:
            assert page["metadata"]["totalResults"] == len(paths)
            return paths


@needs_proc
@pytest.mark.timeout(900)
def test_hostile_files_cost_only_themselves(
    tmp_path: Path, own_redis: Callable[..., RedisServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRAWL_PARSE_SECONDS", "10")
    monkeypatch.setenv("TRAWL_PARSE_MEMORY_MB", f"{FILE_MEMORY / MEGABYTE}")
    with workshop(tmp_path, own_redis().url) as shop:
        good, bad = lay_out(shop.files)
        worker = shop.start_worker()
        wait_for(lambda: len(children(worker.pid)) == 2, "the processes of the worker to start")
        processes = children(worker.pid)
        with WatchingMemory(worker.pid) as memory:
            job = shop.finished(shop.ingest())
        assert worker.is_running()
        assert children(worker.pid) == processes
        assert sorted(memory.workers) == sorted([worker.pid, *processes])
        assert max(memory.workers.values()) < WORKER_ITSELF
        assert max(memory.readers.values()) < FILE_MEMORY + READER_ITSELF

        assert job["status"] == "done"
        told = {error["path"]: error["reason"] for error in job["errors"]}
        expected = {shown(("notes", way)): reason for way, reason in bad.items()}
        assert told.keys() == expected.keys()
        assert {path: told[path] for path in told if not re.match(expected[path], told[path])} == {}
        assert job["counts"] == {
            "found": len(good) + len(bad) + 1,
            "indexed": len(good),
            "unchanged": 0,
            "removed": 0,
            "failed": len(bad),
            "skipped": 1,
        }
        assert "long ignore file" in job["skipped"][0]["reason"]
        assert job["error_count"] == len(bad)

        paths = found_paths(shop)
        assert sorted(paths) == sorted(normalize("NFC", f"notes/{way}") for way in good)
        assert OUTSIDE not in "".join(paths)
        # Files are read on as before.
        (shop.files / "afterwards.md").write_text(f"A {WORD} afterwards.")
        assert shop.finished(shop.ingest(include=["afterwards.md"]))["counts"]["indexed"] == 1
        assert children(worker.pid) == processes
