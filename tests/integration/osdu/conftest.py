"""OSDU's sample records in a real index, a strict server on them, and a client of the tools."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.upstreams.osdu import OsduServer, osdu_server
from tests.upstreams.osdu_caller import Caller, caller, settings
from tests.upstreams.osdu_records import indexed, sample_records


@pytest.fixture(scope="session")
def sample_index(opensearch_url: str) -> Iterator[str]:
    with indexed(opensearch_url, sample_records()) as name:
        yield name


@pytest.fixture
async def osdu(opensearch_url: str, sample_index: str) -> AsyncIterator[OsduServer]:
    async with osdu_server(opensearch_url, sample_index) as server:
        yield server


@pytest.fixture
async def call(osdu: OsduServer) -> AsyncIterator[Caller]:
    async with caller(settings(osdu.url)) as made:
        yield made
