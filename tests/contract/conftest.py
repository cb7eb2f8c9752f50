"""Both engines for every test here; each test is a team of its own, so no two tests meet."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from mcp_server.services import Services
from tests.contract.caller import Caller, new_caller
from tests.contract.engines import ENGINES, settings_of
from tests.contract.everywhere_team import EverywhereTeam
from tests.contract.shelf import Shelf
from tests.made_services import made_services


@pytest.fixture(scope="session", params=ENGINES)
def engine_settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> IndexerSettings:
    """The settings of one engine; its data folder or cluster serves all tests of the run."""
    return settings_of(request.param, request, tmp_path_factory.mktemp("data"))


@pytest.fixture
async def library(engine_settings: IndexerSettings) -> AsyncIterator[Library]:
    opened = open_library(engine_settings)
    yield opened
    await opened.aclose()


@pytest.fixture
async def caller(library: Library) -> AsyncIterator[Caller]:
    """A new team; what it made is removed after the test."""
    made = new_caller(library)
    yield made
    await asyncio.to_thread(made.remove_all)


@pytest.fixture
async def shelf(library: Library) -> AsyncIterator[Shelf]:
    """The archive of a new team; removed after the test."""
    made = Shelf(library, new_caller(library).principal)
    yield made
    await asyncio.to_thread(made.remove)


@pytest.fixture
async def everywhere(library: Library) -> AsyncIterator[EverywhereTeam]:
    """A new team that searches everywhere; what it has is removed after the test."""
    made = EverywhereTeam(library)
    yield made
    await made.remove()


@pytest.fixture
async def services(library: Library) -> AsyncIterator[Services]:
    """What operations need, without upstreams."""
    made = made_services(library)
    yield made
    await made.upstreams.aclose()


@pytest.fixture
async def other(library: Library) -> AsyncIterator[Caller]:
    """Another team on the same engine."""
    made = new_caller(library)
    yield made
    await asyncio.to_thread(made.remove_all)
