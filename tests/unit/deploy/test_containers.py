"""Which servers a run gets, with a made-up Docker engine that knows no image."""

import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest
import redis
import yaml

from deploy.local.lifeline import Lifeline

SESSION = "a-session"
HOLDER = """
import sys
from tests import containers
containers.SESSION_ID = sys.argv[1]
with containers._removed_at_the_end():
    print("held", end="", flush=True)
    sys.stdin.read()
"""


class Engine(ThreadingHTTPServer):
    """Answers as Docker does, has one container, and remembers which it was asked to remove."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.removed: list[str] = []
        self.filters: list[object] = []

    @property
    def url(self) -> str:
        return f"tcp://127.0.0.1:{self.server_address[1]}"


class Answers(BaseHTTPRequestHandler):
    server: Engine

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        if asked.path.endswith("/version"):
            self._answer(200, {"ApiVersion": "1.45"})
        elif asked.path.endswith("/_ping"):
            self._answer(200, "OK")
        elif asked.path.endswith("/containers/json"):
            self.server.filters.append(json.loads(parse_qs(asked.query)["filters"][0]))
            self._answer(200, [{"Id": "abc"}])
        else:
            self._answer(404, {"message": "No such image"})

    def do_POST(self) -> None:
        self._answer(404, {"message": "pull access denied"})

    def do_DELETE(self) -> None:
        self.server.removed.append(urlsplit(self.path).path.rpartition("/")[2])
        self._answer(200, {})

    def _answer(self, status: int, body: object) -> None:
        sent = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine() as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@contextmanager
def python(folder: Path, root: Path, *arguments: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    inherited = {key: value for key, value in os.environ.items() if key not in {"CI", "TRAWL_REQUIRE_SERVICES"}}
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=root,
            env={**inherited, **environment},
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    with process:
        yield process


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "It did not come to pass within a minute"
        time.sleep(0.02)


def kept(folder: Path, root: Path, **environment: str) -> dict[str, str]:
    """Return what a keeper of Redis answers, after a sign of life from the server that it gives."""
    told = folder / "redis.json"
    with (
        python(folder, root, "-m", "tests.keeper", "redis", str(folder), **environment) as keeper,
        Lifeline(folder / "lifeline"),
    ):
        wait_until(lambda: told.exists() or keeper.poll() is not None)
        assert told.exists(), (folder / "output.txt").read_text()
        answer: dict[str, str] = json.loads(told.read_text())
        if "url" in answer:
            with redis.Redis.from_url(answer["url"]) as client:
                assert client.ping()
    return answer


def test_where_servers_are_required_a_container_that_does_not_start_is_a_failure(
    engine: Engine, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    answer = kept(tmp_path, pytestconfig.rootpath, DOCKER_HOST=engine.url, CI="1")
    assert list(answer) == ["missing"]
    assert "Docker answers, but the container did not start." in answer["missing"]
    assert "pull access denied" in answer["missing"]
    assert "TRAWL_TEST_DOCKER=off" in answer["missing"]


def test_elsewhere_a_local_server_replaces_it_and_the_reason_is_printed(
    engine: Engine, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    answer = kept(tmp_path, pytestconfig.rootpath, DOCKER_HOST=engine.url)
    assert answer["url"].startswith("redis://127.0.0.1:")
    printed = (tmp_path / "output.txt").read_text()
    assert "pull access denied" in printed
    assert "A local server is used instead." in printed


@pytest.mark.parametrize(
    "environment", [{"DOCKER_HOST": "tcp://127.0.0.1:1"}, {"TRAWL_TEST_DOCKER": "off"}], ids=["no engine", "off"]
)
def test_where_docker_does_not_answer_or_is_off_a_local_server_is_used_at_once(
    environment: dict[str, str], engine: Engine, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    answer = kept(tmp_path, pytestconfig.rootpath, **{"DOCKER_HOST": engine.url, "CI": "1", **environment})
    assert answer["url"].startswith("redis://127.0.0.1:")
    assert (tmp_path / "output.txt").read_text() == ""


@pytest.mark.parametrize("killed", [True, False], ids=["killed", "in order"])
def test_containers_are_removed_with_the_process_that_holds_them(
    killed: bool, engine: Engine, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    with python(tmp_path, pytestconfig.rootpath, "-c", HOLDER, SESSION, DOCKER_HOST=engine.url) as holder:
        wait_until(lambda: (tmp_path / "output.txt").read_text() == "held")
        assert engine.removed == []
        if killed:
            holder.kill()
    wait_until(lambda: engine.removed == ["abc"])
    assert engine.filters == [{"label": [f"org.testcontainers.session-id={SESSION}"]}]


def test_containers_run_the_images_of_the_compose_file(pytestconfig: pytest.Config) -> None:
    with warnings.catch_warnings(action="ignore"):
        from tests import containers  # noqa: PLC0415  # warns of old parts of testcontainers
    services = yaml.safe_load((pytestconfig.rootpath / "compose.yaml").read_text())["services"]
    assert services["opensearch"]["image"] == containers.OPENSEARCH_IMAGE
    assert services["redis"]["image"] == containers.REDIS_IMAGE
