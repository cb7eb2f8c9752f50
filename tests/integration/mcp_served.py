"""The MCP application alone, over real HTTP."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import uvicorn

from indexer.library import Library
from mcp_server.protocol.http import McpApp
from mcp_server.protocol.server import build_server
from tests.made_services import MAIN, with_jobs
from tests.service import standalone


@contextmanager
def served(library: Library) -> Iterator[str]:
    """Serve on a free port; the socket listens before the server runs, so nobody has to wait for it."""
    app = standalone(McpApp(build_server(with_jobs(library), MAIN)))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on"))
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            thread.join()
