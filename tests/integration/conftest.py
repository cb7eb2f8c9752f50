"""What tests of a whole file share: a library on the embedded engine, and the MCP application on it."""

from collections.abc import Iterator

import pytest

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from tests.integration.mcp_served import served


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
