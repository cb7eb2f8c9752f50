"""Serves a sandbox over HTTP."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

LOOPBACK: Final = "127.0.0.1"


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


def listen(port: int = 0) -> socket.socket:
    """Bind a port of this machine's loopback address; 0 takes a free one. Raises `OSError`."""
    return socket.create_server((LOOPBACK, port), backlog=1024)


def address_of(listener: socket.socket) -> str:
    """Return the address of a listening socket."""
    return f"http://{LOOPBACK}:{listener.getsockname()[1]}"
