"""A cluster whose disk is nearly full: OpenSearch blocks writes, which readiness must tell."""

from collections.abc import AsyncIterator, Callable
from uuid import uuid4

import httpx
import pytest

from deploy.local.cluster import Cluster
from indexer.engines.opensearch.connection import Connection
from indexer.engines.opensearch.engine import open_engine
from indexer.engines.port import Engine, Target
from indexer.errors import Unavailable
from indexer.query.ast import Everything
from indexer.tenancy import IndexName, TeamId, alias, physical_name
from tests.integration.opensearch_engine.notes import DEFINITION, document, ids, put

BLOCK = "index.blocks.read_only_allow_delete"
TEAM = TeamId(f"full{uuid4().hex[:12]}")
TARGET = Target(physical_name(TEAM, IndexName("notes"), 1), DEFINITION)


@pytest.fixture
async def blockable(own_cluster: Callable[..., Cluster]) -> AsyncIterator[tuple[Engine, Callable[[str, bool], None]]]:
    """An engine on a cluster of its own, where a block hinders no other test, and what sets or lifts the block."""
    url = own_cluster().url
    engine = open_engine(Connection((url,)), search_timeout=30)

    def block(index: str, wanted: bool) -> None:
        settings = {BLOCK: True if wanted else None}
        httpx.put(f"{url}/{index}/_settings", json=settings, timeout=30, trust_env=False).raise_for_status()

    yield engine, block
    await engine.reader.close()
    engine.writer.close()


async def test_a_cluster_that_blocks_writes_for_its_disk_says_so_and_searches_go_on(
    blockable: tuple[Engine, Callable[[str, bool], None]],
) -> None:
    engine, block = blockable
    engine.records.check_writable()
    engine.writer.create(TARGET, alias(TEAM, IndexName("notes")))
    put(engine, TARGET, document("a", "canary"))
    for index in (TARGET.physical, "trawl-records-probe"):
        block(index, True)
        with pytest.raises(Unavailable, match="no writes for 1 index, because a disk") as failed:
            engine.records.check_writable()
        assert "Free space" in failed.value.action
        assert await ids(engine, TARGET, Everything()) == ["a"]
        block(index, False)
        engine.records.check_writable()
