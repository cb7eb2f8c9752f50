"""What tests of a whole file share: a library on the embedded engine, and the MCP application on it."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import httpx
import pytest
from moto.server import ThreadedMotoServer

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from tests.integration.jobs_worker import Workshop, workshop
from tests.integration.mcp_served import served
from tests.redis import RedisServer
from tests.service import application_in_task
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
    """A client of the whole application."""
    async with application_in_task(tmp_path) as client:
        yield client


@pytest.fixture(scope="module")
def s3_endpoint() -> Iterator[str]:
    """The address of an S3 server."""
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def redis(own_redis: Callable[..., RedisServer]) -> RedisServer:
    return own_redis()


@pytest.fixture
def shop(tmp_path: Path, redis: RedisServer) -> Iterator[Workshop]:
    with workshop(tmp_path, redis.url) as opened:
        yield opened
