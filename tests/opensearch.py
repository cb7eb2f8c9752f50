"""Fixtures with a real OpenSearch: one for the whole run, or clusters of its own for a test that breaks them."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from filelock import FileLock

from deploy.local.cluster import Cluster, local_cluster
from deploy.local.errors import LocalOpenSearchUnavailable
from tests.services import FOLDER, chosen_engines, missing

KEEPER = pytest.StashKey[subprocess.Popen[bytes]]()
PATIENCE = 280.0


def _answer_of_keeper(config: pytest.Config) -> dict[str, str]:
    """Return what the run's keeper says; the first test process that asks starts it."""
    folder = config.stash[FOLDER]
    answer = folder / "opensearch.json"
    with FileLock(folder / "opensearch.lock"):
        if not answer.exists():
            with (folder / "keeper.txt").open("wb") as output:
                keeper = subprocess.Popen(
                    [sys.executable, "-m", "tests.keeper", str(folder)],
                    cwd=config.rootpath,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            config.stash[KEEPER] = keeper
            deadline = time.monotonic() + PATIENCE
            while not answer.exists():
                if keeper.poll() is not None or time.monotonic() > deadline:
                    told = (folder / "keeper.txt").read_text(encoding="utf-8", errors="replace")
                    return {"missing": f"The keeper of the test servers has failed: {told[-2000:]}"}
                time.sleep(0.1)
    return json.loads(answer.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def opensearch_url(pytestconfig: pytest.Config) -> str:
    """The address of an OpenSearch that all tests of the run share: give indices names of your own."""
    if "opensearch" not in chosen_engines():
        pytest.skip("OpenSearch is left out of this run")
    given = os.environ.get("TRAWL_TEST_OPENSEARCH_URL")
    if given:
        return given
    answer = _answer_of_keeper(pytestconfig)
    if "url" not in answer:
        missing(f"No OpenSearch: {answer['missing']}")
    return answer["url"]


@pytest.fixture
def own_cluster() -> Iterator[Callable[..., Cluster]]:
    """Start clusters that the test may kill: `own_cluster(nodes=3)`; they end with the test."""
    with ExitStack() as started:

        def start(*, nodes: int = 1, heap: str = "512m") -> Cluster:
            try:
                return started.enter_context(local_cluster(nodes=nodes, heap=heap))
            except LocalOpenSearchUnavailable as error:
                missing(f"No OpenSearch of its own: {error}")

        yield start
