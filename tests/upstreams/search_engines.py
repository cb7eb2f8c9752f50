"""The engines behind the test servers: the sandboxes' own in memory, and a real OpenSearch that it must agree with."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pytest

from app.sandbox.engine.index import IndexPlan
from app.sandbox.engine.memory import MemoryEngine
from app.sandbox.engine.port import SearchEngine
from tests.upstreams.opensearch_engine import OpenSearchEngine, filled

MEMORY, OPENSEARCH = "memory", "opensearch"


@contextmanager
def engine_with(name: str, request: pytest.FixtureRequest, plans: Iterable[IndexPlan]) -> Iterator[SearchEngine]:
    """Hold indices in the engine of this name while inside."""
    if name == MEMORY:
        yield MemoryEngine(plans)
        return
    url = request.getfixturevalue("opensearch_url")
    with filled(url, plans) as prefix:
        yield OpenSearchEngine(url, prefix)
