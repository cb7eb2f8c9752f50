"""Quilt's sample contents in an engine, a strict catalog on them, and a client of the tools."""

from collections.abc import AsyncIterator, Iterator
from functools import cache
from unittest.mock import patch

import pytest
from httpx import create_ssl_context
from httpx._transports import default

from app.sandbox.quilt.indices import indices_of
from tests.upstreams.quilt import Catalogue, QuiltServer, quilt_server
from tests.upstreams.quilt_caller import Caller, caller, settings
from tests.upstreams.quilt_contents import sample_contents
from tests.upstreams.search_engines import engine_with


@pytest.fixture(scope="session", autouse=True)
def _certificates() -> Iterator[None]:
    """Read the certificates that nobody needs on loopback once, not for each of hundreds of clients."""
    with patch.object(default, "create_ssl_context", cache(create_ssl_context)):
        yield


@pytest.fixture(scope="session")
def catalogue(engine_name: str, request: pytest.FixtureRequest) -> Iterator[Catalogue]:
    contents = sample_contents()
    with engine_with(engine_name, request, indices_of(contents)) as engine:
        yield Catalogue(engine, contents)


@pytest.fixture
async def quilt(catalogue: Catalogue) -> AsyncIterator[QuiltServer]:
    async with quilt_server(catalogue) as server:
        yield server


@pytest.fixture
async def call(quilt: QuiltServer) -> AsyncIterator[Caller]:
    async with caller(settings(quilt.url)) as made:
        yield made
