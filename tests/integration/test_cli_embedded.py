"""The embedded service as a whole: its children, its sample, and commands where no service runs."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.redis import RedisServer
from tests.service import Service, environment, is_alive, run_service, stop, trawl, wait_until, wait_until_ready


def children(service: Service) -> set[int]:
    """Return all processes that belong to the service's data folder but itself."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != service.process.pid:
            try:
                known = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
            except OSError:
                continue
            if str(service.folder / "data").encode() in known and is_alive(int(folder.name)):
                found.add(int(folder.name))
    return found


needs_proc = pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are found in /proc")


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_is_left_of_a_service_however_it_ends(tmp_path: Path, number: signal.Signals) -> None:
    with run_service(tmp_path) as service:
        wait_until_ready(service)
        assert len(children(service)) >= 4
        os.kill(service.process.pid, number)
        service.process.wait(60)
        wait_until(lambda: not children(service), "all children are gone")


@needs_proc
def test_a_service_started_again_after_it_was_killed_works(tmp_path: Path) -> None:
    with run_service(tmp_path) as first:
        wait_until_ready(first)
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait(60)
    with run_service(tmp_path) as second:
        wait_until_ready(second)
        notes = tmp_path / "notes"
        notes.mkdir()
        (notes / "a.md").write_text("# A walrus\n")
        ended = trawl("ingest", str(notes), "--wait", "--json", folder=tmp_path)
        assert json.loads(ended.stdout)["counts"]["indexed"] == 1


@needs_proc
def test_a_worker_that_is_killed_is_started_again(tmp_path: Path) -> None:
    with run_service(tmp_path) as service:
        wait_until_ready(service)
        before = children(service)
        for pid in before:
            # the first to be killed may take others with it
            with suppress(FileNotFoundError, ProcessLookupError):
                command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                if command[-2:] == [b"worker", b""] and b"child_wrapper" not in b"".join(command):
                    os.kill(pid, signal.SIGKILL)
        wait_until(lambda: len(children(service) - before) > 0, "new children run")
        wait_until_ready(service)


@needs_proc
def test_with_a_redis_of_ones_own_nothing_is_started_and_any_worker_does_the_jobs(
    tmp_path: Path, own_redis: Callable[..., RedisServer]
) -> None:
    env = {"TRAWL_REDIS_URL": own_redis().url}
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A walrus\n")
    with run_service(tmp_path, env=env) as service:
        assert children(service) == set()
        queued = trawl("ingest", "notes", "--json", folder=tmp_path, env=env)
        assert json.loads(queued.stdout)["status"] == "queued"
        with (tmp_path / "worker.log").open("wb") as log:
            worker = subprocess.Popen(
                [sys.executable, "-m", "app", "worker"], cwd=tmp_path, env=environment(tmp_path, env), stderr=log
            )
        try:
            wait_until_ready(service)
            ended = trawl("ingest", "notes", "--wait", "--json", folder=tmp_path, env=env)
            assert json.loads(ended.stdout)["counts"]["found"] == 1
        finally:
            stop(worker)


def test_a_folder_is_ingested_and_found_where_no_service_runs(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# A walrus\n\nOn the ice.\n")
    # without --wait too, since nobody else would do the job
    ended = trawl("ingest", str(notes), "--json", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["counts"]["indexed"] == 1
    found = json.loads(trawl("search", "walrus", "--json", folder=tmp_path).stdout)
    assert found["results"][0]["document"]["path"] == "notes/a.md"
    listed = json.loads(trawl("jobs", "list", "--json", folder=tmp_path).stdout)
    assert [job["status"] for job in listed["jobs"]] == ["done"]


def test_the_sample_is_an_archive_whose_documents_cite_each_other(tmp_path: Path) -> None:
    with run_service(tmp_path, "--demo") as service, httpx.Client(trust_env=False, timeout=60) as client:

        def archived() -> dict[str, Any] | None:
            asked = {"query": "*", "limit": 50, "includeCitations": True}
            found: dict[str, Any] = client.post(f"{service.url}/api/v1/archives/search", json=asked).json()
            return found if found["metadata"]["totalResults"] == 12 else None

        found = wait_until(archived, "the sample is in the archive")
        assert {hit["document"]["path"].partition("/")[0] for hit in found["results"]} == {"sample"}
        assert {node["type"] for node in found["citationGraph"]["nodes"]} == {"source"}
        assert all(edge["confidence"] == 1.0 for edge in found["citationGraph"]["edges"])
        assert len(found["citationGraph"]["edges"]) >= 11
        jobs = [job["job_id"] for job in client.get(f"{service.url}/api/v1/jobs").json()["jobs"]]
    with run_service(tmp_path, "--demo") as service, httpx.Client(trust_env=False, timeout=60) as client:
        assert [job["job_id"] for job in client.get(f"{service.url}/api/v1/jobs").json()["jobs"]] == jobs
