"""The folder that all processes of one test run share, and what to do when a server cannot be had."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import NoReturn

import pytest
from filelock import FileLock, Timeout

from deploy.local.lifeline import Lifeline

FOLDER = pytest.StashKey[Path]()
LIFELINE = pytest.StashKey[Lifeline]()
WORKER_INPUT = "trawl_services"


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
    try:
        # Held by the keeper until all it started has ended.
        FileLock(folder / "keeper.lock").acquire(timeout=60)
    except Timeout:
        print("The keeper of the test servers is slow to end")
    shutil.rmtree(folder, ignore_errors=True)


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
