"""The README as a new user follows it: in a copy of the sources, with an empty home, from another folder."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from deploy.local.cluster import Cluster
from tests.redis import RedisServer
from tests.service import ROOT, Service, served_by, wait_until

BLOCK = re.compile(r"^```sh ?(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(kind, text) for kind, text in BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))]
PLAIN = [text for kind, text in BLOCKS if not kind]
_SETUP_SECONDS = 500
"""On a slow network the packages alone may take some minutes."""
NOTE = "# Sonar\n\nA side scan sonar maps the sea bed. It is not the echo sounder of the bridge.\n"


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of all files that belong to the project."""
    folder = tmp_path_factory.mktemp("clone") / "trawl"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    for name in listed.split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a new user. Only the packages' cache is that of this machine, to spare the network."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "research").mkdir()
    (folder / "research" / "sonar.md").write_text(NOTE)
    cache = os.environ.get("UV_CACHE_DIR", str(Path.home() / ".cache" / "uv"))
    own = ("TRAWL_", "OPENAI_", "PYTHONPATH", "VIRTUAL_ENV", "XDG_", "MAKE", "MFLAGS")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    return {**kept, "HOME": str(folder), "UV_CACHE_DIR": cache, "TRAWL_PORT": "0"}


@pytest.fixture(scope="module")
def service(clone: Path, home: dict[str, str]) -> Iterator[Service]:
    [text] = [text for kind, text in BLOCKS if kind == "service"]
    with served_by(["bash", "-ec", f"exec {text}"], clone, home, seconds=_SETUP_SECONDS) as running:
        yield running


def run(text: str, clone: Path, env: dict[str, str]) -> str:
    """Run a block of the README in the home folder, where nothing of the project is."""
    script = text.replace("/path/to/trawl", str(clone))
    path = f"{clone / '.venv' / 'bin'}:{env['PATH']}"
    ended = subprocess.run(
        ["bash", "-ec", script], cwd=env["HOME"], env={**env, "PATH": path}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, f"{text}\n{ended.stdout}\n{ended.stderr}"
    return ended.stdout


@pytest.mark.timeout(600)
def test_three_commands_lead_to_the_first_own_search(clone: Path, home: dict[str, str], service: Service) -> None:
    started = time.monotonic()
    found = run(PLAIN[0], clone, home)
    assert "Sonar" in found
    assert "sea bed" in found
    assert time.monotonic() - started < 60
    assert service.process.poll() is None


@pytest.mark.timeout(600)
@pytest.mark.usefixtures("service")
@pytest.mark.parametrize("text", PLAIN[1:], ids=lambda text: text.split("\n")[0][:40])
def test_every_block_of_commands_works_as_it_stands(clone: Path, home: dict[str, str], text: str) -> None:
    assert run(text, clone, home).strip()


@pytest.mark.timeout(600)
@pytest.mark.usefixtures("service")
def test_the_block_for_opensearch_starts_a_service_and_a_worker(
    clone: Path,
    home: dict[str, str],
    own_cluster: Callable[..., Cluster],
    own_redis: Callable[..., RedisServer],
) -> None:
    # A cluster of its own, because the worker would run the jobs that it finds there.
    [opensearch_url] = own_cluster().urls
    [text] = [text for kind, text in BLOCKS if kind == "opensearch"]
    script = text.replace("http://127.0.0.1:9200", opensearch_url)
    script = script.replace("redis://127.0.0.1:6379/0", own_redis().url)
    assert ":9200" not in script
    assert ":6379" not in script
    path = f"{clone / '.venv' / 'bin'}:{home['PATH']}"
    env = {**home, "PATH": path, "HOME": str(clone.parent)}
    with subprocess.Popen(
        ["bash", "-ec", script], cwd=clone.parent, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[4]
            with httpx.Client(trust_env=False, timeout=30) as client:
                wait_until(lambda: client.get(f"{url}/readyz").status_code == 200, "all parts are ready")
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(60)
