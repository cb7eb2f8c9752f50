import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from indexer.engines.opensearch.connection import Connection
from indexer.engines.opensearch.engine import open_engine
from indexer.engines.port import Engine, SearchRequest, Target
from indexer.errors import Unavailable
from indexer.query.ast import Everything, Word
from indexer.tenancy import IndexName, TeamId, physical_name
from tests.integration.opensearch_engine.notes import DEFINITION, document, ids, put


async def test_a_cluster_that_is_down_is_unavailable_with_what_to_do(team: TeamId) -> None:
    engine = open_engine(Connection(("http://127.0.0.1:9",)), search_timeout=5)
    target = Target(physical_name(team, IndexName("notes"), 1), DEFINITION)
    with pytest.raises(Unavailable, match="cannot be reached") as raised:
        await engine.reader.search(target, SearchRequest(Word("canary"), 1))
    assert "TRAWL_OPENSEARCH_URL" in raised.value.action
    for write in (
        lambda: engine.writer.write(target, [document("a", "canary")]),
        lambda: engine.records.get("jobs", "a"),
        engine.writer.health,
    ):
        with pytest.raises(Unavailable):
            write()
    await engine.reader.close()


async def test_a_dead_node_among_those_given_is_passed_over(
    opensearch_url: str, engine: Engine, target: Target
) -> None:
    put(engine, target, document("a", "python"))
    nodes = ("http://127.0.0.1:9", opensearch_url, "http://127.0.0.1:9")
    for _ in range(5):
        other = open_engine(Connection(nodes), search_timeout=10)
        assert await ids(other, target, Word("python")) == ["a"]
        assert other.writer.write(target, [document("a", "old", 1)])[0].status == "superseded"
        other.writer.close()
        await other.reader.close()


@pytest.fixture
async def without_shards(opensearch_url: str, team: TeamId) -> AsyncIterator[tuple[httpx.AsyncClient, Target]]:
    """An index whose shards may start nowhere, and a client that can change that."""
    target = Target(physical_name(team, IndexName("homeless"), 1), DEFINITION)
    nowhere = {"settings": {"index.number_of_replicas": 0, "index.routing.allocation.require._name": "nowhere"}}
    async with httpx.AsyncClient(base_url=opensearch_url, timeout=30, trust_env=False) as client:
        made = await client.put(f"/{target.physical}", json=nowhere, params={"wait_for_active_shards": "0"})
        made.raise_for_status()
        yield client, target


async def test_a_search_waits_a_moment_for_shards_that_start(
    engine: Engine, without_shards: tuple[httpx.AsyncClient, Target]
) -> None:
    client, target = without_shards
    searching = asyncio.create_task(engine.reader.search(target, SearchRequest(Everything(), 1)))
    await asyncio.sleep(0.05)
    anywhere = {"index.routing.allocation.require._name": None}
    (await client.put(f"/{target.physical}/_settings", json=anywhere)).raise_for_status()
    assert (await searching).total == 0


async def test_a_search_without_shards_is_unavailable(
    engine: Engine, without_shards: tuple[httpx.AsyncClient, Target]
) -> None:
    _, target = without_shards
    with pytest.raises(Unavailable, match="could not answer"):
        await engine.reader.search(target, SearchRequest(Everything(), 1))
