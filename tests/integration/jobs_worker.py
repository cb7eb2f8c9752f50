"""A real worker process on a data folder of its own, a folder to ingest, and pages that are served when told."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest

from deploy.local.lifeline import Guarded, Lifeline
from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from tests.made_services import MAIN
from workers.enqueue import Background
from workers.jobs.arguments import JobStatus
from workers.jobs.jobs import Jobs
from workers.jobs.results import JobStatusResult
from workers.settings import WorkerSettings
from workers.sources.arguments import FolderSource, UrlsSource

PATIENCE = 120.0
_MAIN = """
import sys
from indexer.environment import read_settings
from indexer.settings import IndexerSettings
from workers.settings import WorkerSettings
from workers.worker import run_worker
sys.exit(run_worker(read_settings(WorkerSettings), read_settings(IndexerSettings)))
"""


def wait_for(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"Waited too long for {what}")
        time.sleep(0.02)


class Workshop:
    """The door to background work as a service has it, and the workers behind it."""

    def __init__(self, folder: Path, redis_url: str) -> None:
        self.folder = folder
        self.files = folder / "roots" / "notes"
        self.files.mkdir(parents=True)
        self._environment = {
            "TRAWL_ENGINE": "tantivy",
            "TRAWL_DATA_DIR": str(folder / "data"),
            "TRAWL_REDIS_URL": redis_url,
            "TRAWL_INGEST_ROOTS": str(folder / "roots"),
            "TRAWL_FETCH_ALLOW": "127.0.0.1",
            "TRAWL_FETCH_TIMEOUT": "600",
            "TRAWL_WORKER_SWEEP_SECONDS": "0.5",
            "TRAWL_WORKER_LEASE_SECONDS": "4",
        }
        settings = WorkerSettings(
            redis_url=redis_url, ingest_roots=(folder / "roots",), fetch_allow=("127.0.0.1",), _env_file=None
        )
        indexer_settings = IndexerSettings(engine="tantivy", data_dir=folder / "data", _env_file=None)
        self.library = open_library(indexer_settings)
        self.background = Background(self.library, settings)
        self.jobs = Jobs(self.library.engine.records)
        (folder / "life").mkdir()
        self._lifeline = Lifeline(folder / "life" / "line").hold()
        self._workers: list[Guarded] = []

    def start_worker(self) -> Guarded:
        with (self.folder / "worker.txt").open("ab") as output:
            process = subprocess.Popen(
                [sys.executable, "-c", _MAIN],
                cwd=self.folder,
                env={**os.environ, **self._environment, "PYTHONPATH": str(Path(__file__).parents[2])},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        worker = Guarded(process, self._lifeline.path)
        self._workers.append(worker)
        return worker

    def write(self, count: int, start: int = 0) -> None:
        for number in range(start, start + count):
            (self.files / f"{number:04d}.md").write_text(f"# Note n{number:04d}\n\nIts body", encoding="utf-8")

    def ingest(self, **options: Any) -> str:
        source = FolderSource(type="folder", path=str(self.files), **options)
        return self.background.ingest(MAIN, source)["job_id"]

    def fetch(self, urls: list[str]) -> str:
        return self.background.ingest(MAIN, UrlsSource(type="urls", urls=urls))["job_id"]

    def status(self, job_id: str) -> JobStatusResult:
        return self.background.status(MAIN, JobStatus(job_id=job_id))

    def finished(self, job_id: str) -> JobStatusResult:
        """Wait for a job's end."""
        try:
            wait_for(lambda: self.status(job_id)["finished_at"] is not None, "the end of a job")
        except BaseException:
            print(self.status(job_id), (self.folder / "worker.txt").read_text(encoding="utf-8", errors="replace"))
            raise
        return self.status(job_id)

    def counts(self, job_id: str) -> tuple[int, ...]:
        """Return found, indexed, unchanged, removed, failed; of a job that is done all files are accounted for."""
        status = self.finished(job_id)
        found, indexed, unchanged, removed, failed, skipped = cast("list[int]", list(status["counts"].values()))
        if status["status"] == "done":
            assert found == indexed + unchanged + failed + skipped
        return found, indexed, unchanged, removed, failed

    def chunk_workers(self, job_id: str) -> dict[str, int]:
        """Return the chunks that are being worked on, with the process that does."""
        found = self.jobs.chunks.list(f"{MAIN.team}/{job_id}/")
        return {chunk.key: int(chunk.value.lease.owner.split(":")[1]) for chunk in found if chunk.value.lease.is_live()}

    def close(self) -> None:
        for worker in self._workers:
            worker.stop(signal.SIGKILL)
        self._lifeline.let_go()
        self.background.close()
        self.library.close()


class Pages:
    """A site on loopback that holds back its pages until it is told to serve them."""

    def __init__(self) -> None:
        self.asked = 0
        self.broken = set[str]()
        """The paths that are answered with an error."""
        self.serving = threading.Event()
        pages = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/robots.txt":
                    self.send_error(404)
                    return
                pages.asked += 1
                pages.serving.wait(PATIENCE)
                if self.path in pages.broken:
                    self.send_error(500)
                    return
                body = f"<!doctype html><title>Page {self.path}</title><p>Text of {self.path}</p>".encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """Say nothing: who asked may have been killed."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def urls(self, count: int) -> list[str]:
        return [f"http://127.0.0.1:{self._server.server_address[1]}/page/{number}" for number in range(count)]

    def close(self) -> None:
        self.serving.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def workshop(folder: Path, redis_url: str) -> Iterator[Workshop]:
    opened = Workshop(folder, redis_url)
    try:
        yield opened
    finally:
        opened.close()


@contextmanager
def held_pages() -> Iterator[Pages]:
    pages = Pages()
    try:
        yield pages
    finally:
        pages.close()
