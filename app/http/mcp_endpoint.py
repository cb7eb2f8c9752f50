"""The MCP endpoint, which is loaded while the service already answers other requests.

The SDK takes a third of all the time that imports take, and nobody but MCP clients needs it.
"""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.types import Receive, Scope, Send

from mcp_server.services import Services

if TYPE_CHECKING:
    from mcp_server.protocol.http import McpApp


class McpEndpoint:
    """An ASGI application. Requests wait until it is loaded."""

    def __init__(self, services: Services, *, body_limit: int) -> None:
        self._services = services
        self._body_limit = body_limit
        self._loaded: asyncio.Future[McpApp] | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Load and serve inside this context."""
        self._loaded = asyncio.get_running_loop().create_future()
        stopping = asyncio.Event()
        task = asyncio.create_task(self._serve(self._loaded, stopping))
        try:
            yield
        finally:
            stopping.set()
            await task

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._loaded is not None, "the application is not running"  # noqa: S101 - a mistake of the caller
        # A request that is cancelled must not cancel what all others wait for.
        mcp = await asyncio.shield(self._loaded)
        await mcp(scope, receive, send)

    async def _serve(self, loaded: "asyncio.Future[McpApp]", stopping: asyncio.Event) -> None:
        try:
            mcp = await asyncio.to_thread(self._load)
            async with mcp.running():
                loaded.set_result(mcp)
                await stopping.wait()
        except Exception as error:
            if loaded.done():
                raise
            loaded.set_exception(error)

    def _load(self) -> "McpApp":
        from mcp_server.protocol.http import McpApp  # noqa: PLC0415 - see above
        from mcp_server.protocol.server import build_server  # noqa: PLC0415 - see above

        mcp = McpApp(build_server(self._services), body_limit=self._body_limit)
        # The classes of the SDK live until the end, and the garbage collector need not look through them.
        gc.freeze()
        return mcp
