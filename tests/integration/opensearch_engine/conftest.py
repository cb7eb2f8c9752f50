from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from indexer.engines.opensearch.connection import Connection
from indexer.engines.opensearch.engine import open_engine
from indexer.engines.port import Engine, Target
from indexer.tenancy import IndexName, TeamId, alias, physical_name
from tests.integration.opensearch_engine.notes import DEFINITION


@pytest.fixture
def team() -> TeamId:
    return TeamId(f"engine{uuid4().hex[:12]}")


@pytest.fixture
async def engine(opensearch_url: str, team: TeamId) -> AsyncIterator[Engine]:
    engine = open_engine(Connection((opensearch_url,), records=f"records-{team}"), search_timeout=30)
    yield engine
    for physical in engine.writer.physical_names(f"trawl.{team}."):
        engine.writer.drop(physical)
    for records in engine.writer.physical_names(f"records-{team}-"):
        engine.writer.drop(records)
    engine.records._client.indices.delete_index_template(name=f"records-{team}", ignore=[404])  # type: ignore[attr-defined] # its own client
    await engine.reader.close()
    engine.writer.close()


@pytest.fixture
def target(engine: Engine, team: TeamId) -> Target:
    target = Target(physical_name(team, IndexName("notes"), 1), DEFINITION)
    engine.writer.create(target, alias(team, IndexName("notes")))
    return target
