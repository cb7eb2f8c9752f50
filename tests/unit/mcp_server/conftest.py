"""A library on the embedded engine, and a server on it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from mcp_server.protocol.server import build_server
from mcp_server.services import Services
from tests.made_services import MAIN, with_jobs


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    opened = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path))
    yield opened
    await opened.aclose()


@pytest.fixture
def services(library: Library) -> Services:
    """Jobs are recorded, and nobody does them: there is no Redis."""
    return with_jobs(library)


@pytest.fixture
def server(services: Services) -> object:
    return build_server(services, MAIN)
