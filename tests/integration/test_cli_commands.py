import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.service import Service, run_service, trawl, wait_until_ready


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with run_service(tmp_path_factory.mktemp("demo"), "--demo") as service:
        yield service


def test_search_asks_the_service_that_runs_on_the_folder(demo: Service) -> None:
    document = {"doc_id": "only-here", "content": "a zeppelin over the harbour"}
    with httpx.Client(trust_env=False) as client:
        client.post(f"{demo.url}/api/v1/indices/default/documents", json={"documents": [document]})
    found = trawl("search", "zeppelin", "--index", "default", "--json", folder=demo.folder)
    assert found.returncode == 0
    result = json.loads(found.stdout)
    assert (result["success"], result["results"][0]["doc_id"]) == (True, "only-here")


def test_the_sample_is_found_and_printed_for_people(demo: Service) -> None:
    found = trawl("search", '"otter boards"', "--index", "default", folder=demo.folder)
    assert found.stdout.startswith("1 match\n")
    assert "trawl-nets" in found.stdout
    assert "author: Maren Holt" in found.stdout
    assert "\x1b" not in found.stdout
    assert "<mark>" not in found.stdout


def test_the_doctor_finds_a_running_service_healthy(demo: Service) -> None:
    wait_until_ready(demo)
    doctor = trawl("doctor", folder=demo.folder, env={"TRAWL_SECRET_KEY": "s3cret-s3cret-s3cret-s3cret-s3cret"})
    assert doctor.returncode == 0
    assert demo.url in doctor.stdout
    assert doctor.stdout.startswith("ok      settings: all can be read\n")
    for part in ("engine", "redis", "workers", "indices"):
        assert f"ok      {part}: " in doctor.stdout
    assert "TRAWL_SECRET_KEY" not in doctor.stdout


def test_the_doctor_shows_settings_below_its_checks_if_asked(tmp_path: Path) -> None:
    env = {"TRAWL_SECRET_KEY": "s3cret-s3cret-s3cret-s3cret-s3cret"}
    checks, _, settings = trawl("doctor", "--settings", folder=tmp_path, env=env).stdout.partition("\n\n")
    assert "ok      settings" in checks
    assert "TRAWL_SECRET_KEY" in settings
    assert "s3cret" not in settings


def test_a_broken_part_is_one_line_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data").chmod(0o755)
    doctor = trawl("doctor", folder=tmp_path)
    (line,) = [line for line in doctor.stdout.splitlines() if line.startswith("broken")]
    assert line == (
        f"broken  data folder: {tmp_path / 'data'} is open to other users. "
        f"Let only its owner read it: chmod 700 {tmp_path / 'data'}."
    )
    assert doctor.returncode == 1


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """A folder on which a service has run that runs no more."""
    with run_service(tmp_path):
        assert trawl("indices", folder=tmp_path).returncode == 0
    return tmp_path


def test_search_opens_the_folder_itself_where_no_service_runs(stopped: Path) -> None:
    found = trawl("search", "-java", "python", "--index", "default", "--json", folder=stopped)
    assert found.returncode == 0
    result = json.loads(found.stdout)
    assert (result["success"], result["total_matches"]) == (True, 0)
    assert (result["query_parsed"]["terms"], result["query_parsed"]["must_not"]) == (["python"], ["java"])


def test_a_failure_is_the_tools_own_and_ends_with_exit_code_1(stopped: Path) -> None:
    found = trawl("search", "anything", "--index", "none", "--json", folder=stopped)
    assert found.returncode == 1
    assert json.loads(found.stdout)["error"] == "Index not found: none"


def test_wrong_settings_are_named_without_their_values(tmp_path: Path) -> None:
    env = {"TRAWL_PORT": "s3cret", "TRAWL_ENGINE": "s3cret"}
    doctor = trawl("doctor", folder=tmp_path, env=env)
    assert doctor.returncode == 1
    assert "TRAWL_PORT" in doctor.stdout
    assert "TRAWL_ENGINE" in doctor.stdout
    assert "s3cret" not in doctor.stdout + doctor.stderr


def test_the_doctor_looks_at_the_queue_also_where_no_service_runs(tmp_path: Path) -> None:
    private = trawl("doctor", "--json", folder=tmp_path)
    checks = {check["name"]: check for check in json.loads(private.stdout)["checks"]}
    assert checks["redis"]["detail"] == "a private one starts with the service"
    assert checks["indices"]["status"] == "ok"
    env = {"TRAWL_REDIS_URL": f"unix://{tmp_path}/absent.sock", "TRAWL_INGEST_ROOTS": str(tmp_path / "absent")}
    elsewhere = trawl("doctor", "--json", folder=tmp_path, env=env)
    broken = {check["name"] for check in json.loads(elsewhere.stdout)["checks"] if check["status"] == "broken"}
    assert broken == {"redis", "workers", "ingest root"}
    assert elsewhere.returncode == 1


def test_mcp_speaks_on_standard_input_and_output(tmp_path: Path) -> None:
    # standard input is at its end at once, so the command ends as well
    ended = trawl("mcp", folder=tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "")
