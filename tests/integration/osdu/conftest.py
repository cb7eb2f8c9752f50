"""OSDU's sample records in an engine, a strict server on them, and a client of the tools."""

from collections.abc import AsyncIterator, Iterator

import pytest

from app.sandbox.engine.port import SearchEngine
from app.sandbox.osdu.records import index_of
from tests.upstreams.osdu import OsduServer, osdu_server
from tests.upstreams.osdu_caller import Caller, caller, settings
from tests.upstreams.osdu_records import sample_records
from tests.upstreams.search_engines import engine_with


@pytest.fixture(scope="session")
def sample_engine(engine_name: str, request: pytest.FixtureRequest) -> Iterator[SearchEngine]:
    with engine_with(engine_name, request, [index_of(sample_records())]) as engine:
        yield engine


@pytest.fixture
async def osdu(sample_engine: SearchEngine) -> AsyncIterator[OsduServer]:
    async with osdu_server(sample_engine) as server:
        yield server


@pytest.fixture
async def call(osdu: OsduServer) -> AsyncIterator[Caller]:
    async with caller(settings(osdu.url)) as made:
        yield made
