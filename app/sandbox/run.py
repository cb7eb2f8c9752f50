"""Runs sandboxes until they are told to end."""

import asyncio
import signal
import socket
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack

from app.sandbox.applications import APPLICATIONS
from app.sandbox.declared import SandboxName
from app.sandbox.http import serving
from app.sandbox.sockets import address_of


async def run_sandboxes(
    listeners: Mapping[SandboxName, socket.socket],
    ready: Callable[[], None] = lambda: None,
    *,
    end_with: int | None = None,
) -> None:
    """Serve on these sockets until SIGINT, SIGTERM, or the end of a pipe; calls `ready` when requests are accepted."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    if end_with is not None:
        loop.add_reader(end_with, ended.set)
    async with AsyncExitStack() as stack:
        for name, listener in listeners.items():
            await stack.enter_async_context(serving(APPLICATIONS[name](address_of(listener)), listener))
        ready()
        await ended.wait()
