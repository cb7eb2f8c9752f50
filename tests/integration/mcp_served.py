"""The MCP application alone, over real HTTP."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import uvicorn

from indexer.library import Library
from mcp_server.http import McpApp
from mcp_server.server import build_server
from mcp_server.services import Services
from mcp_server.settings import McpSettings
from mcp_server.upstreams.opening import open_upstreams
from mcp_server.upstreams.settings import UpstreamSettings
from tests.service import standalone
from workers.enqueue import Background
from workers.settings import WorkerSettings


@contextmanager
def served(library: Library) -> Iterator[str]:
    """Serve on a free port; the socket listens before the server runs, so nobody has to wait for it."""
    services = Services(
        library,
        Background(library, WorkerSettings(_env_file=None)),
        open_upstreams(UpstreamSettings(), key=b"test", redis_url=None),
    )
    app = standalone(McpApp(build_server(services, McpSettings()), ["127.0.0.1"], []))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on"))
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            thread.join()
