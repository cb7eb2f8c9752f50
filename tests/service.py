"""The service for tests: as a process of its own, or as an application in this one."""

import asyncio
import os
import re
import select
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar
from unittest.mock import patch

import httpx
import uvicorn
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from app.http.application import create_app
from app.settings import AppSettings
from indexer.library import Library
from indexer.settings import IndexerSettings
from mcp_server.feature import Feature
from mcp_server.features.all import FEATURES
from mcp_server.protocol.http import McpApp
from mcp_server.settings import McpSettings
from workers.settings import WorkerSettings

Answer = TypeVar("Answer")
Opened = TypeVar("Opened")
ROOT = Path(__file__).parent.parent
START_SECONDS = 120
STOP_SECONDS = 60
PATIENCE_SECONDS = 120
_READY = re.compile(rb"^Trawl is ready at (\S+) .*\n", re.MULTILINE)
"""`make run` prints its own commands first."""


@dataclass(frozen=True, slots=True)
class Service:
    """A service in a process of its own; `log` is what it wrote to stderr."""

    url: str
    process: subprocess.Popen[bytes]
    folder: Path
    log: Path


def wait_until(condition: Callable[[], Answer], what: str, seconds: float = PATIENCE_SECONDS) -> Answer:
    """Ask again and again until the answer is true, and return it."""
    deadline = time.monotonic() + seconds
    while not (answer := condition()):
        assert time.monotonic() < deadline, f"in {seconds:.0f} s it did not come about that {what}"
        time.sleep(0.1)
    return answer


def wait_until_ready(service: Service) -> None:
    """Return when the engine, the queue and the worker of a service all answer."""
    with httpx.Client(trust_env=False, timeout=30) as client:
        wait_until(lambda: client.get(f"{service.url}/readyz").status_code == 200, "all parts are ready")


def is_alive(pid: int) -> bool:
    """Say whether a process runs, also one that others started."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        # a zombie has ended; only nobody has asked yet how
        return not Path("/proc/self").exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def environment(folder: Path, env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment without this machine's own settings and sign-ins, with its data below the folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TRAWL_", "OPENAI_"))}
    own = {"TRAWL_DATA_DIR": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}
    return {**kept, "PYTHONPATH": str(ROOT), **own, **(env or {})}


def trawl(*arguments: str, folder: Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        cwd=folder,
        env=environment(folder, env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )


@contextmanager
def run_service(
    folder: Path, *arguments: str, env: Mapping[str, str] | None = None, module: str = "app"
) -> Iterator[Service]:
    """Start `trawl serve` on a free port, wait until it is ready, and stop it afterwards."""
    command = [sys.executable, "-m", module, "serve", *arguments]
    with served_by(command, folder, environment(folder, {"TRAWL_PORT": "0", **(env or {})})) as service:
        yield service


@contextmanager
def served_by(
    command: Sequence[str], folder: Path, env: Mapping[str, str], seconds: float = START_SECONDS
) -> Iterator[Service]:
    """Start a service by this command in this folder, wait until it is ready, and stop it afterwards."""
    log = folder / "service.log"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    try:
        yield Service(_ready_address(process, log, seconds), process, folder, log)
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes]) -> int:
    """End the process gracefully, or by force where it does not obey; return its exit code."""
    if process.poll() is None:
        process.terminate()
    try:
        return process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait(STOP_SECONDS)
    finally:
        if process.stdout is not None:
            process.stdout.close()


def _ready_address(process: subprocess.Popen[bytes], log: Path, seconds: float) -> str:
    assert process.stdout is not None
    deadline = time.monotonic() + seconds
    seen = b""
    while (ready := _READY.search(seen)) is None:
        readable, _, _ = select.select([process.stdout], [], [], max(0.0, deadline - time.monotonic()))
        part = os.read(process.stdout.fileno(), 4096) if readable else b""
        if not part:
            raise AssertionError(f"the service did not become ready: {log.read_text()}")
        seen += part
    return ready[1].decode()


def created_app(
    folder: Path,
    *,
    library: Library | None = None,
    indexer: Mapping[str, Any] | None = None,
    worker: Mapping[str, Any] | None = None,
    mcp: Mapping[str, Any] | None = None,
    features: tuple[Feature, ...] = FEATURES,
    **settings: Any,
) -> FastAPI:
    """Build the application on the embedded engine, unless a library is given."""
    with patch.dict(os.environ, environment(folder), clear=True):
        return create_app(
            AppSettings(_env_file=None, **settings),
            IndexerSettings(_env_file=None, engine="tantivy", **(indexer or {})),
            WorkerSettings(_env_file=None, **(worker or {})),
            McpSettings(_env_file=None, **(mcp or {})),
            library,
            features=features,
        )


@contextmanager
def on_socket(app: ASGIApp) -> Iterator[str]:
    """Serve on a free port; the socket listens before the server runs, so nobody has to wait for it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on"))
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@asynccontextmanager
async def application(
    folder: Path,
    *,
    library: Library | None = None,
    indexer: Mapping[str, Any] | None = None,
    worker: Mapping[str, Any] | None = None,
    mcp: Mapping[str, Any] | None = None,
    features: tuple[Feature, ...] = FEATURES,
    **settings: Any,
) -> AsyncIterator[httpx.AsyncClient]:
    """Run the application in this process on the embedded engine, without children, and give a client for it."""
    app = created_app(folder, library=library, indexer=indexer, worker=worker, mcp=mcp, features=features, **settings)
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client,
    ):
        yield client


@asynccontextmanager
async def application_in_task(folder: Path, **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    """As `application`, in a task of its own."""
    async with in_own_task(application(folder, **settings)) as client:
        yield client


@asynccontextmanager
async def in_own_task(opening: AbstractAsyncContextManager[Opened]) -> AsyncIterator[Opened]:
    """Open and close something in one task, which it needs: a fixture starts and ends in different ones."""
    opened: asyncio.Future[Opened] = asyncio.get_running_loop().create_future()
    ended = asyncio.Event()

    async def run() -> None:
        async with opening as given:
            opened.set_result(given)
            await ended.wait()

    running = asyncio.create_task(run())
    await asyncio.wait({running, opened}, return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        await running
    yield opened.result()
    ended.set()
    await running


def standalone(app: McpApp) -> Starlette:
    """Let a server run the MCP application alone."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with app.running():
            yield

    return Starlette(routes=[Mount("/", app=app)], lifespan=lifespan)
