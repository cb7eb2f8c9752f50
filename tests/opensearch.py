"""Fixtures with a real OpenSearch: one for the whole run, or clusters of its own for a test that breaks them."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from deploy.local.cluster import Cluster, local_cluster
from deploy.local.errors import LocalOpenSearchUnavailable
from tests.services import chosen_engines, missing, shared_server


@pytest.fixture(scope="session")
def opensearch_url(pytestconfig: pytest.Config) -> str:
    """The address of an OpenSearch that all tests of the run share: give indices names of your own."""
    if "opensearch" not in chosen_engines():
        pytest.skip("OpenSearch is left out of this run")
    given = os.environ.get("TRAWL_TEST_OPENSEARCH_URL")
    if given:
        return given
    return shared_server(pytestconfig, "opensearch")


@pytest.fixture
def own_cluster() -> Iterator[Callable[..., Cluster]]:
    """Start clusters that the test may kill: `own_cluster(nodes=3)`; they end with the test."""
    # Never containers, since a test kills the processes of its nodes.
    with ExitStack() as started:

        def start(*, nodes: int = 1, heap: str = "512m") -> Cluster:
            try:
                return started.enter_context(local_cluster(nodes=nodes, heap=heap))
            except LocalOpenSearchUnavailable as error:
                missing(f"No OpenSearch of its own: {error}")

        yield start
