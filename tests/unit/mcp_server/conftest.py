"""A library on the embedded engine, and a server on it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from mcp_server.server import build_server
from mcp_server.services import Services
from mcp_server.settings import McpSettings
from mcp_server.upstreams.opening import open_upstreams
from mcp_server.upstreams.settings import UpstreamSettings
from workers.enqueue import Background
from workers.settings import WorkerSettings


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    opened = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path))
    yield opened
    await opened.aclose()


@pytest.fixture
def services(library: Library) -> Services:
    """Jobs are recorded, and nobody does them: there is no Redis."""
    return Services(
        library,
        Background(library, WorkerSettings(_env_file=None, redis_url=None)),
        open_upstreams(UpstreamSettings(), key=b"test", redis_url=None),
    )


@pytest.fixture
def server(services: Services) -> object:
    return build_server(services, McpSettings())
