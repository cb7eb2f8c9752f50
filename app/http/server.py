"""Runs the application under uvicorn: one process, graceful shutdown, no access log."""

import asyncio
import gc
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

import uvicorn
import uvloop
from fastapi import FastAPI
from starlette.types import ASGIApp

from app.embedded.service_file import RunningService, announce, withdraw
from app.http.listeners import BACKLOG, Listeners, port_of
from app.http.routes.metrics import metrics_app
from app.http.tls import Certificate
from app.settings import AppSettings, listening_url

_GRACE_SECONDS: Final = 10


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


def serve(app: FastAPI, listeners: Listeners, settings: AppSettings, data_dir: Path, notes: Sequence[str] = ()) -> None:
    """Serve until SIGINT or SIGTERM; prints the address and these notes as soon as requests are accepted."""
    # Objects that exist now live until the end; the garbage collector would spend a tenth of the time on them.
    gc.freeze()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(app, listeners, settings, data_dir, notes))


async def _serve(
    app: FastAPI, listeners: Listeners, settings: AppSettings, data_dir: Path, notes: Sequence[str]
) -> None:
    service = RunningService(
        os.getpid(),
        listening_url(settings, port_of(listeners.service)),
        app.state.instance,
        settings.public_url,
        app.state.local_secret,
        None if settings.tls_cert is None else str(settings.tls_cert.absolute()),
    )

    def ready() -> None:
        announce(data_dir, service)
        address = f"Trawl is ready at {service.url} (MCP at {service.url}/mcp)"
        print(address, *notes, sep="\n", flush=True)  # noqa: T201 - for people

    server = _Server(_config(app, listeners.certificate, lifespan=True), ready)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, server.handle_exit, number, None)
    try:
        async with AsyncExitStack() as beside:
            if listeners.certificate is not None:
                await beside.enter_async_context(listeners.certificate.watched())
            if listeners.metrics is not None:
                metrics = metrics_app(app.state.services)
                await beside.enter_async_context(_serving(metrics, listeners.metrics))
            await server.serve(sockets=[listeners.service])
    finally:
        withdraw(data_dir, service)


@asynccontextmanager
async def _serving(metrics: ASGIApp, listener: socket.socket) -> AsyncIterator[None]:
    """Serve the metrics until the end of the block."""
    server = _Server(_config(metrics, None, lifespan=False), lambda: None)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield
    finally:
        server.should_exit = True
        await running


def _config(app: ASGIApp, certificate: Certificate | None, *, lifespan: bool) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http="httptools",
        ws="none",
        lifespan="on" if lifespan else "off",
        access_log=False,
        log_config=None,
        server_header=False,
        # The application decides which proxies it believes.
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ssl_context_factory=None if certificate is None else lambda *_: certificate.context,
    )
