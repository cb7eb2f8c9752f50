"""Runs the application under uvicorn: one process, graceful shutdown, no access log."""

import asyncio
import errno
import gc
import os
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import uvicorn
import uvloop
from fastapi import FastAPI

from app.embedded.service_file import RunningService, announce, withdraw
from app.settings import AppSettings
from indexer.errors import Conflict, NotConfigured

_GRACE_SECONDS: Final = 10
_BACKLOG: Final = 2048


class _Server(uvicorn.Server):
    """Calls `ready` after startup. It does not capture signals: uvicorn would raise them again before our clean-up."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def serve(
    app: FastAPI, listener: socket.socket, settings: AppSettings, data_dir: Path, notes: Sequence[str] = ()
) -> None:
    """Serve until SIGINT or SIGTERM; prints the address and these notes as soon as requests are accepted."""
    # Objects that exist now live until the end; the garbage collector would spend a tenth of the time on them.
    gc.freeze()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(app, listener, settings, data_dir, notes))


async def _serve(
    app: FastAPI, listener: socket.socket, settings: AppSettings, data_dir: Path, notes: Sequence[str]
) -> None:
    url = _address(settings.host, listener.getsockname()[1])
    service = RunningService(os.getpid(), url, app.state.instance, settings.public_url, app.state.local_secret)

    def ready() -> None:
        announce(data_dir, service)
        address = f"Trawl is ready at {service.url} (MCP at {service.url}/mcp)"
        print(address, *notes, sep="\n", flush=True)  # noqa: T201 - for people

    config = uvicorn.Config(
        app,
        http="httptools",
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        # A forwarded header must not change the client's address.
        proxy_headers=False,
        backlog=_BACKLOG,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    server = _Server(config, ready)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, server.handle_exit, number, None)
    try:
        await server.serve(sockets=[listener])
    finally:
        withdraw(data_dir, service)


def listen(settings: AppSettings) -> socket.socket:
    """Bind the port, and return the listening socket, which the caller closes."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError:
        raise NotConfigured("TRAWL_HOST names no address of this machine", action="Set it to 127.0.0.1") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise _cannot_listen(error, settings.port) from None
    listener.setblocking(False)
    return listener


def _cannot_listen(error: OSError, port: int) -> Conflict | NotConfigured:
    if error.errno == errno.EADDRINUSE:
        return Conflict(
            f"Port {port} is taken by another process",
            action="Stop that process, or choose another port with TRAWL_PORT or --port (0 takes a free one)",
        )
    return NotConfigured(
        f"Cannot listen on port {port}: {os.strerror(error.errno or 0)}",
        action="Choose an address of this machine and a port above 1023 with TRAWL_HOST and TRAWL_PORT",
    )


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
