"""Quilt's sample contents in real indices, a strict catalog on them, and a client of the tools."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.upstreams.quilt import QuiltServer, quilt_server
from tests.upstreams.quilt_caller import Caller, caller, settings
from tests.upstreams.quilt_contents import sample_contents
from tests.upstreams.quilt_indices import Catalogue, catalogued


@pytest.fixture(scope="session")
def catalogue(opensearch_url: str) -> Iterator[Catalogue]:
    with catalogued(opensearch_url, sample_contents()) as made:
        yield made


@pytest.fixture
async def quilt(catalogue: Catalogue) -> AsyncIterator[QuiltServer]:
    async with quilt_server(catalogue) as server:
        yield server


@pytest.fixture
async def call(quilt: QuiltServer) -> AsyncIterator[Caller]:
    async with caller(settings(quilt.url)) as made:
        yield made
