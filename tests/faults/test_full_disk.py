"""A disk that is full, or read-only: what is told, what goes on, and that it goes on when there is room again."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

import httpx
import pytest

from tests.faults.small_disk import NoDisk, fill, small_disk
from tests.service import Service, environment, run_service, trawl, wait_until, wait_until_ready

WORDS = " ".join(f"w{number}" for number in range(2_000))
MEGABYTE = 1_000_000
DISK_BYTES = 260 * MEGABYTE

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of other processes are Linux's")


class Client:
    """Writes and searches, and remembers what was acknowledged."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        self.acknowledged: list[str] = []
        self._next = 0

    @classmethod
    @contextmanager
    def of(cls, service: Service) -> Iterator[Self]:
        with httpx.Client(base_url=service.url, trust_env=False, timeout=60) as http:
            yield cls(http)

    def write(self) -> httpx.Response:
        self._next += 1
        name = f"d{self._next}"
        document = {"content": f"walrus {WORDS}"}
        answer = self.http.put(f"/api/v1/indices/default/documents/{name}", json=document)
        if answer.status_code == 200:
            self.acknowledged.append(name)
        return answer

    def found(self) -> set[str]:
        answer = self.http.post("/api/v1/indices/default/search", json={"query": "walrus", "k": 1000})
        assert answer.status_code == 200, answer.text
        return {hit["doc_id"] for hit in answer.json()["results"]}

    def parts(self) -> dict[str, str]:
        answer = self.http.get("/readyz")
        parts: dict[str, str] = answer.json()["parts"]
        assert answer.status_code == (200 if set(parts.values()) == {"ok"} else 503)
        return parts

    def check_refused(self, answer: httpx.Response) -> None:
        failure = answer.json()
        assert (answer.status_code, failure["error_category"]) == (503, "unavailable")
        assert failure["fix"]["required_action"]

    def check_kept(self) -> None:
        assert set(self.acknowledged) <= self.found()


def test_writes_without_room_are_refused_and_all_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with run_service(tmp_path) as service, Client.of(service) as client:
        wait_until_ready(service)
        assert client.write().status_code == 200
        pid, (_, most) = service.process.pid, resource.getrlimit(resource.RLIMIT_FSIZE)
        # No file may grow any more. It is the one way to be out of room that needs no rights.
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, most))
        for _ in range(3):
            client.check_refused(client.write())
        parts = wait_until(lambda: (now := client.parts())["writes"] != "ok" and now, "readiness says so")
        assert parts["writes"].startswith("unavailable: ")
        assert parts["engine"] == "ok"
        assert client.http.get("/livez").status_code == 200
        client.check_kept()
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))
        wait_until(lambda: set(client.parts().values()) == {"ok"}, "it is ready again")
        assert client.write().status_code == 200
        client.check_kept()


@contextmanager
def own_disk(folder: Path) -> Iterator[Path]:
    """A small disk of its own, where this user may mount one."""
    with ExitStack() as stack:
        try:
            disk = stack.enter_context(small_disk(folder, DISK_BYTES))
        except NoDisk:
            pytest.skip("this user may mount no disk")
        yield disk


def test_a_full_disk_is_told_before_and_while_it_hinders_and_nothing_is_lost(tmp_path: Path) -> None:
    with ExitStack() as stack:
        disk = stack.enter_context(own_disk(tmp_path / "disk"))
        env = {"TRAWL_DATA_DIR": str(disk / "data")}
        service = stack.enter_context(run_service(tmp_path, env=env))
        client = stack.enter_context(Client.of(service))
        wait_until_ready(service)
        assert client.write().status_code == 200
        filler = fill(disk, leave=20 * MEGABYTE)
        parts = wait_until(lambda: (now := client.parts())["disk"] != "ok" and now, "little room is told")
        assert "MB left" in parts["disk"]
        filler.unlink()
        filler = fill(disk, leave=0)
        for _ in range(3):
            client.check_refused(client.write())
        parts = wait_until(lambda: (now := client.parts())["writes"] != "ok" and now, "a full disk is told")
        assert "full" in parts["writes"]
        client.check_kept()
        notes = tmp_path / "notes"
        notes.mkdir()
        (notes / "a.md").write_text("a walrus")
        refused = json.loads(trawl("ingest", str(notes), "--json", folder=tmp_path, env=env).stdout)
        assert refused["error_category"] == "unavailable"
        filler.unlink()
        wait_until(lambda: set(client.parts().values()) == {"ok"}, "it is ready again")
        assert client.write().status_code == 200
        client.check_kept()
        ended = trawl("ingest", str(notes), "--wait", "--json", folder=tmp_path, env=env)
        assert json.loads(ended.stdout)["counts"]["indexed"] == 1, ended.stderr


@pytest.mark.parametrize("command", [("serve",), ("worker",), ("search", "walrus"), ("doctor",)])
def test_a_read_only_folder_is_told_without_a_traceback(tmp_path: Path, command: tuple[str, ...]) -> None:
    with own_disk(tmp_path / "disk") as disk:
        (disk / "data").mkdir()
        (disk / "data" / "records.sqlite3").touch()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        env = {"TRAWL_DATA_DIR": str(disk / "data"), "TRAWL_PORT": "0"}
        ended = trawl(*command, folder=tmp_path, env=env)
    said = ended.stdout + ended.stderr
    assert ended.returncode == 1
    assert "cannot be written" in said
    assert "Traceback" not in said


def test_a_folder_without_the_right_to_write_is_told_without_a_traceback(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o500)
    if os.access(folder, os.W_OK):
        pytest.skip("a superuser may write everywhere")
    ended = subprocess.run(
        [sys.executable, "-m", "app", "serve"],
        env=environment(tmp_path, {"TRAWL_PORT": "0"}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, "Traceback" in ended.stderr) == (1, False)
    assert "cannot be written" in ended.stderr
