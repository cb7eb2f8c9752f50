"""Runs the application under uvicorn: one process, graceful shutdown, no access log."""

import asyncio
import gc
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvicorn
import uvloop
from fastapi import FastAPI
from starlette.types import ASGIApp

from app.embedded.service_file import RunningService, announce, withdraw
from app.http.connection.acceptor import Acceptor
from app.http.connection.connections import Connections
from app.http.connection.health_only import HealthOnly
from app.http.connection.limits import ConnectionLimits, connections_within, raise_file_limit
from app.http.connection.protocol import GuardedProtocol
from app.http.listeners import Listeners, port_of
from app.http.routes.metrics import metrics_app
from app.http.tls import Certificate
from app.settings import AppSettings, listening_url

_GRACE_SECONDS: Final = 10
_SWITCH_SECONDS: Final = 0.001
"""The default is five times as long; then eight long searches delayed each answer by more than a tenth of a second."""
_HEALTH: Final = frozenset({"/livez", "/readyz"})
_METRICS: Final = frozenset({"/metrics"})


@dataclass(frozen=True, slots=True)
class Port:
    """A bound port, and what it serves: `health` are the paths that are served even if there are too many callers."""

    app: ASGIApp
    listener: socket.socket
    health: frozenset[str]
    certificate: Certificate | None = None


class _Server(uvicorn.Server):
    """Calls `ready` after startup. It does not capture signals: uvicorn would raise them again before our clean-up."""

    def __init__(self, port: Port, connections: Connections, ready: Callable[[], None], *, lifespan: bool) -> None:
        super().__init__(_config(port.app, lifespan=lifespan))
        self._port = port
        self._connections = connections
        self._health = HealthOnly(port.app, port.health, connections.refusals)
        self._acceptor: Acceptor | None = None
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # uvicorn listens on no socket itself: the acceptor does, which bounds the number of connections.
        await super().startup(sockets)
        certificate = None if self._port.certificate is None else self._port.certificate.context
        self._acceptor = Acceptor(self._port.listener, self._connections, self._connection, certificate)
        self._acceptor.start()
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._acceptor is not None:
            self._acceptor.stop()
        await super().shutdown(sockets)
        self._port.listener.close()

    def _connection(self) -> GuardedProtocol:
        return GuardedProtocol(
            self.config, self.server_state, self.lifespan.state, self._connections, health=self._health
        )

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def serve(app: FastAPI, listeners: Listeners, settings: AppSettings, data_dir: Path, notes: Sequence[str] = ()) -> None:
    """Serve until SIGINT or SIGTERM; prints the address and these notes as soon as requests are accepted."""
    # Objects that exist now live until the end; the garbage collector would spend a tenth of the time on them.
    gc.freeze()
    # Between two steps of a request, the event loop may wait so long for each thread that computes.
    sys.setswitchinterval(_SWITCH_SECONDS)
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

    connections = Connections(_limits(settings), app.state.services.limits.refusals, settings.trusted_proxies)
    port = Port(app, listeners.service, _HEALTH, listeners.certificate)
    server = _Server(port, connections, ready, lifespan=True)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, server.handle_exit, number, None)
    try:
        async with AsyncExitStack() as beside:
            await beside.enter_async_context(connections.swept())
            if listeners.certificate is not None:
                await beside.enter_async_context(listeners.certificate.watched())
            if listeners.metrics is not None:
                metrics = Port(metrics_app(app.state.services), listeners.metrics, _METRICS)
                await beside.enter_async_context(_serving(metrics, connections))
            await server.serve(sockets=[])
    finally:
        withdraw(data_dir, service)


@asynccontextmanager
async def _serving(port: Port, connections: Connections) -> AsyncIterator[None]:
    """Serve another port until the end of the block."""
    server = _Server(port, connections, lambda: None, lifespan=False)
    running = asyncio.create_task(server.serve(sockets=[]))
    try:
        yield
    finally:
        server.should_exit = True
        await running


def _limits(settings: AppSettings) -> ConnectionLimits:
    connections = connections_within(raise_file_limit(), settings.max_connections)
    return ConnectionLimits(connections, settings.client_timeout)


def _config(app: ASGIApp, *, lifespan: bool) -> uvicorn.Config:
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
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
