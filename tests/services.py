"""The folder and the servers that all processes of one test run share, and what to do when a server cannot be had."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Literal, NoReturn

import pytest
from filelock import FileLock, Timeout

from deploy.local.lifeline import Lifeline

FOLDER = pytest.StashKey[Path]()
LIFELINE = pytest.StashKey[Lifeline]()
KEEPERS = pytest.StashKey[list[subprocess.Popen[bytes]]]()
WORKER_INPUT = "trawl_services"
PATIENCE = 280.0

ServerName = Literal["opensearch", "redis"]


class ServerUnavailable(RuntimeError):
    """A server cannot be had on this machine. The message says why."""


def pytest_configure(config: pytest.Config) -> None:
    given = getattr(config, "workerinput", {}).get(WORKER_INPUT)
    if given is not None:
        config.stash[FOLDER] = Path(given)
        return
    folder = Path(tempfile.mkdtemp(prefix="trawl-tests-"))
    config.stash[FOLDER] = folder
    config.stash[LIFELINE] = Lifeline(folder / "lifeline").hold()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node) -> None:  # noqa: ANN001  # a class of pytest-xdist that it does not publish
    node.workerinput[WORKER_INPUT] = str(node.config.stash[FOLDER])


def pytest_unconfigure(config: pytest.Config) -> None:
    lifeline = config.stash.get(LIFELINE, None)
    if lifeline is None:
        return
    lifeline.let_go()
    folder = config.stash[FOLDER]
    for held in folder.glob("*.keeper"):
        try:
            # Held by the keeper until all it started has ended.
            FileLock(held).acquire(timeout=60)
        except Timeout:
            print(f"The keeper of the test server {held.stem} is slow to end")
    shutil.rmtree(folder, ignore_errors=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Show what keepers printed: where a container was wanted and a local server was used."""
    for output in sorted(config.stash[FOLDER].glob("*.txt")):
        for line in output.read_text(encoding="utf-8", errors="replace").splitlines():
            terminalreporter.write_line(f"{output.stem}: {line}")


def chosen_engines() -> tuple[str, ...]:
    """Return the engines to test on: both, unless `make check` names the one that needs no server."""
    return tuple(os.environ.get("TRAWL_TEST_ENGINES", "tantivy,opensearch").split(","))


def is_required() -> bool:
    """Say whether a missing server is a failure: in continuous integration, and where asked for."""
    return bool(os.environ.get("CI") or os.environ.get("TRAWL_REQUIRE_SERVICES"))


def missing(reason: str) -> NoReturn:
    if is_required():
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def shared_server(config: pytest.Config, name: ServerName) -> str:
    """Return the address of the run's server; the first test process that asks starts its keeper."""
    folder = config.stash[FOLDER]
    answer = folder / f"{name}.json"
    with FileLock(folder / f"{name}.lock"):
        if not answer.exists():
            keeper = _start_keeper(folder, name, config.rootpath)
            config.stash.setdefault(KEEPERS, []).append(keeper)
            _wait_for(answer, keeper)
    told = json.loads(answer.read_text(encoding="utf-8"))
    if "url" not in told:
        missing(f"No {name}: {told['missing']}")
    return str(told["url"])


def _start_keeper(folder: Path, name: ServerName, root: Path) -> subprocess.Popen[bytes]:
    with (folder / f"{name}.txt").open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.keeper", name, str(folder)],
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _wait_for(answer: Path, keeper: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not answer.exists():
        if keeper.poll() is not None or time.monotonic() > deadline:
            keeper.kill()
            told = answer.with_suffix(".txt").read_text(encoding="utf-8", errors="replace")
            answer.write_text(json.dumps({"missing": f"Its keeper has failed: {told[-2000:]}"}), encoding="utf-8")
        time.sleep(0.05)
