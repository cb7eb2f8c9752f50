"""A command against a running service imports only what it needs, which is what makes it fast."""

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service import Service, environment, run_service, trawl

HEAVY = {
    *("pydantic", "pydantic_settings", "fastapi", "starlette", "uvicorn", "mcp", "httpx", "orjson", "asyncio"),
    *("tantivy", "opensearchpy", "elasticsearch_dsl", "celery", "redis", "boto3", "openai", "cryptography", "lxml"),
    *("mcp_server.operation", "mcp_server.features", "indexer.library", "indexer.arguments", "workers", "app.services"),
}
SCRIPT = """
import sys
from app.cli.main import main
try:
    main(sys.argv[1:], prog_name="trawl")
finally:
    print(*sys.modules, file=sys.stderr)
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with run_service(tmp_path_factory.mktemp("imports")) as started:
        (started.folder / "notes").mkdir()
        (started.folder / "notes" / "a.md").write_text("# A walrus\n")
        assert trawl("ingest", "notes", "--wait", folder=started.folder).returncode == 0
        yield started


@pytest.fixture(scope="module")
def words(service: Service) -> dict[str, str]:
    """The ids of the only document and of the only job."""
    document = json.loads(trawl("list", "--json", folder=service.folder).stdout)["documents"][0]["id"]
    job = json.loads(trawl("jobs", "--json", folder=service.folder).stdout)["jobs"][0]["job_id"]
    return {"DOCUMENT": document, "JOB": job}


@pytest.mark.parametrize(
    "arguments",
    [
        "search walrus",
        "search walrus --json",
        "search walrus --citations",
        "search nothing-like-it",
        "search walrus --index default",
        "show DOCUMENT",
        "open DOCUMENT --print",
        "cite DOCUMENT",
        "list",
        "indices",
        "status",
        "jobs",
        "jobs show JOB",
        "connect cursor",
        "completion zsh",
        "rm DOCUMENT",
    ],
)
def test_a_command_imports_nothing_of_the_service(service: Service, words: dict[str, str], arguments: str) -> None:
    check_imports(service, [words.get(word, word) for word in arguments.split()], {})


@pytest.mark.parametrize("arguments", ["search walrus", "status", "jobs", "connect cursor"])
def test_a_sign_in_that_has_not_expired_imports_nothing_more(service: Service, tmp_path: Path, arguments: str) -> None:
    logins = tmp_path / "trawl" / "logins"
    logins.mkdir(parents=True)
    (logins / "current").write_text(service.url)
    name = hashlib.sha256(service.url.encode()).hexdigest()[:32]
    (logins / f"{name}.json").write_text(json.dumps({"access_token": "t", "expires_at": time.time() + 3_600}))
    env = {"XDG_CONFIG_HOME": str(tmp_path), "TRAWL_DATA_DIR": str(tmp_path / "absent")}
    check_imports(service, arguments.split(), env)


def check_imports(service: Service, arguments: list[str], env: dict[str, str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        cwd=service.folder,
        env=environment(service.folder, env),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    imported = set(ended.stderr.splitlines()[-1].split())
    assert "app.cli.main" in imported
    assert not imported & HEAVY
