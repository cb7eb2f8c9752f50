"""Quilt's sample contents in real indices, a strict catalog on them, and a client of the tools."""

from collections.abc import AsyncIterator, Iterator
from functools import cache
from unittest.mock import patch

import pytest
from httpx import create_ssl_context
from httpx._transports import default

from tests.upstreams.quilt import QuiltServer, quilt_server
from tests.upstreams.quilt_caller import Caller, caller, settings
from tests.upstreams.quilt_contents import sample_contents
from tests.upstreams.quilt_indices import Catalogue, catalogued


@pytest.fixture(scope="session", autouse=True)
def _certificates() -> Iterator[None]:
    """Read the certificates that nobody needs on loopback once, not for each of hundreds of clients."""
    with patch.object(default, "create_ssl_context", cache(create_ssl_context)):
        yield


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
