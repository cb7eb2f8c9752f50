"""The MCP application alone, over real HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager

from indexer.library import Library
from mcp_server.protocol.http import McpApp
from mcp_server.protocol.server import build_server
from tests.made_services import MAIN, with_jobs
from tests.service import on_socket, standalone


@contextmanager
def served(library: Library) -> Iterator[str]:
    """Serve on a free port, and give the address."""
    with on_socket(standalone(McpApp(build_server(with_jobs(library), MAIN)))) as url:
        yield f"{url}/mcp"
