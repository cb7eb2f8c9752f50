import json
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.service import Service, run_service, stop, trawl, wait_until, wait_until_ready


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port that nobody listens on, kept from others while the test runs."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def announced(service: Service) -> Path:
    return service.folder / "data" / "service.json"


def test_a_service_announces_itself_while_it_runs_and_stops_gracefully(tmp_path: Path) -> None:
    with run_service(tmp_path) as service:
        with httpx.Client(trust_env=False) as client:
            alive = client.get(f"{service.url}/livez").json()
        wait_until_ready(service)
        written = json.loads(announced(service).read_text())
        assert len(written.pop("secret")) > 40
        expected = {
            "pid": service.process.pid,
            "url": service.url,
            "instance": alive["instance"],
            "public_url": None,
            "certificate": None,
        }
        assert written == expected
        assert stop(service.process) == 0
        assert not announced(service).exists()


def test_an_interrupt_stops_it_as_well(tmp_path: Path) -> None:
    with run_service(tmp_path) as service:
        os.kill(service.process.pid, signal.SIGINT)
        assert service.process.wait(60) == 0
        assert "Traceback" not in service.log.read_text()


def test_a_taken_port_is_said_at_the_start(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ended = trawl("serve", "--port", str(port), folder=tmp_path)
    assert ended.returncode == 1
    assert f"Port {port} is taken" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_service_open_to_others_does_not_start_without_authentication(tmp_path: Path) -> None:
    ended = trawl("serve", "--host", "0.0.0.0", folder=tmp_path, env={"TRAWL_AUTH": "off"})
    assert ended.returncode == 1
    assert "TRAWL_AUTH is off" in ended.stderr
    assert not (tmp_path / "data").exists()


def test_a_service_starts_while_opensearch_is_down_and_says_so(tmp_path: Path, closed_port: int) -> None:
    env = {"TRAWL_OPENSEARCH_URL": f"http://127.0.0.1:{closed_port}", "TRAWL_SECRET_KEY": "k" * 40}
    with run_service(tmp_path, "--demo", env=env) as service, httpx.Client(trust_env=False, timeout=30) as client:
        assert client.get(f"{service.url}/livez").status_code == 200
        ready = client.get(f"{service.url}/readyz")
        assert ready.status_code == 503
        assert ready.json()["ready"] is False
        assert ready.json()["parts"]["engine"].startswith("unavailable: ")
        found = client.post(f"{service.url}/api/v1/indices/default/search", json={"query": "canary"})
        assert (found.status_code, found.json()["error_category"]) == (503, "unavailable")
        assert found.json()["fix"]["required_action"]
        assert client.get(f"{service.url}/api/v1/status").status_code == 200
        # A worker that is still starting is rightly reported as broken too.
        wait_until(lambda: client.get(f"{service.url}/readyz").json()["parts"]["workers"] == "ok", "a worker lives")
        doctor = trawl("doctor", "--json", folder=tmp_path, env=env)
    broken = [check for check in json.loads(doctor.stdout)["checks"] if check["status"] == "broken"]
    assert doctor.returncode == 1
    assert [check["name"] for check in broken] == ["engine"]
    assert "TRAWL_OPENSEARCH_URL" in broken[0]["action"]
    assert "canary" not in service.log.read_text()
