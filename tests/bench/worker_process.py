"""A worker in a process of its own with a Redis of its own, and how much memory it takes."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from indexer.library import Library
from indexer.tenancy import Principal
from tests.bench.engines import Place
from tests.redis import redis_server
from tests.service import environment, stop
from workers.enqueue import Background
from workers.jobs.arguments import FINISHED, JobStatus
from workers.jobs.results import JobStatusResult
from workers.settings import WorkerSettings
from workers.sources.arguments import FolderSource

_PATIENCE = 60.0
_LOOK_SECONDS = 0.02


@dataclass(frozen=True)
class Worker:
    """A running worker, and the door to it."""

    process: subprocess.Popen[bytes]
    background: Background

    def ingest(self, principal: Principal, folder: Path) -> tuple[float, JobStatusResult]:
        """Have a folder ingested; return the seconds until everything in it is found, and the job as it ended."""
        started = time.perf_counter()
        job = self.background.ingest(principal, FolderSource(type="folder", path=str(folder)))["job_id"]
        while (status := self._ended(principal, job)) is None:
            time.sleep(_LOOK_SECONDS)
        return time.perf_counter() - started, status

    def _ended(self, principal: Principal, job: str) -> JobStatusResult | None:
        status = self.background.status(principal, JobStatus(job_id=job))
        if status["status"] not in FINISHED:
            return None
        if status["status"] != "done" or status["error_count"]:
            raise SystemExit(f"The ingestion {status['status']}, with {status['error_count']} errors")
        return status

    def peak_memory(self) -> int:
        """Return the most bytes that each of the worker's processes has held, together."""
        return sum(_peak(pid) for pid in _family(self.process.pid))


@contextmanager
def worker(place: Place, library: Library, roots: Path) -> Iterator[Worker]:
    """Run a worker with one working process that may read below the roots."""
    with redis_server() as queue, (place.folder / "worker.log").open("wb") as log:
        given = {**place.environment, "TRAWL_REDIS_URL": queue.url, "TRAWL_INGEST_ROOTS": str(roots)}
        given["TRAWL_WORKER_PROCESSES"] = "1"
        process = subprocess.Popen(
            [sys.executable, "-m", "app", "worker"],
            cwd=place.folder,
            env=environment(place.folder, given),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        background = Background(library, WorkerSettings(_env_file=None, redis_url=queue.url, ingest_roots=(roots,)))
        try:
            _await_life(process, background)
            yield Worker(process, background)
        finally:
            background.close()
            stop(process)


def _await_life(process: subprocess.Popen[bytes], background: Background) -> None:
    deadline = time.monotonic() + _PATIENCE
    while background.health()["workers"] != "ok":
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit("The worker did not start")
        time.sleep(_LOOK_SECONDS)


def _family(pid: int) -> Iterator[int]:
    yield pid
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in (thread / "children").read_text().split():
            yield from _family(int(child))


def _peak(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0
