"""What tests of a whole file share: a library on the embedded engine, and the MCP application on it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from tests.integration.mcp_served import served
from tests.service import application
from tests.upstreams.search_engines import MEMORY, OPENSEARCH


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests of upstreams on both engines behind their servers, unless their module names those it needs."""
    if "engine_name" in metafunc.fixturenames:
        names = getattr(metafunc.module, "ENGINES", (MEMORY, OPENSEARCH))
        metafunc.parametrize("engine_name", names, scope="session")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    opened = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path_factory.mktemp("library")))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def address(library: Library) -> Iterator[str]:
    """Where the MCP application is served over real HTTP."""
    with served(library) as url:
        yield url


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the whole application, which runs in one task: a fixture starts and ends in different ones."""
    loop = asyncio.get_running_loop()
    opened: asyncio.Future[httpx.AsyncClient] = loop.create_future()
    ended = asyncio.Event()

    async def run() -> None:
        async with application(tmp_path) as client:
            opened.set_result(client)
            await ended.wait()

    running = asyncio.create_task(run())
    await asyncio.wait({running, opened}, return_when=asyncio.FIRST_COMPLETED)
    yield opened.result()
    ended.set()
    await running
