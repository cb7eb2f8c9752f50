"""The engine port on both engines; each test has an index of its own."""

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from indexer.engines.port import Engine, Target
from indexer.library import Library
from indexer.tenancy import IndexName, TeamId, alias, physical_name
from tests.contract.port.notes import DEFINITION


@pytest.fixture
def team() -> TeamId:
    return TeamId(f"port{uuid4().hex[:12]}")


@pytest.fixture
async def engine(library: Library, team: TeamId) -> AsyncIterator[Engine]:
    yield library.engine
    for physical in library.engine.writer.physical_names(f"trawl.{team}."):
        library.engine.writer.drop(physical)


@pytest.fixture
def target(engine: Engine, team: TeamId) -> Target:
    """An index that exists and is empty."""
    made = Target(physical_name(team, IndexName("notes"), 1), DEFINITION)
    engine.writer.create(made, alias(team, IndexName("notes")))
    return made
