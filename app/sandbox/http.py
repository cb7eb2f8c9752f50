"""Serves a sandbox over HTTP."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web


@asynccontextmanager
async def serving(application: web.Application, listener: socket.socket) -> AsyncIterator[None]:
    """Accept requests on a listening socket while inside; nothing is logged, since URLs contain queries."""
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.SockSite(runner, listener, backlog=1024).start()
        yield
    finally:
        await runner.cleanup()
