"""Starts the child processes of embedded mode: a private Redis and one worker. Other modules see only a Redis URL."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from app.embedded.children import Child, Command
from app.embedded.private_redis import runtime_folder, server_command, socket_path
from indexer.settings import IndexerSettings
from workers.settings import WorkerSettings

_WORKER_GRACE_SECONDS: Final = 5.0
_MAX_LOG_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class BackgroundProcesses:
    """The worker settings with the Redis URL, and whether this process owns Redis and the worker."""

    settings: WorkerSettings
    owned: bool


def with_redis_url(settings: IndexerSettings, worker_settings: WorkerSettings) -> WorkerSettings:
    """Return the settings with a Redis URL: the configured one, else that of the private Redis."""
    if worker_settings.redis_url is not None:
        return worker_settings
    url = f"unix://{socket_path(runtime_folder(settings.data_dir))}"
    return worker_settings.model_copy(update={"redis_url": url})


@contextmanager
def background_processes(
    settings: IndexerSettings, worker_settings: WorkerSettings, *, quiet: bool = False
) -> Iterator[BackgroundProcesses]:
    """Start Redis and a worker unless TRAWL_REDIS_URL is set, without waiting; end them with the block or the process.

    If several processes share a data folder, the children of one run, and those of another take over when it ends.
    `quiet` sends the worker's output to a file in the data folder instead of standard error.
    """
    completed = with_redis_url(settings, worker_settings)
    if worker_settings.redis_url is not None:
        yield BackgroundProcesses(completed, owned=False)
        return
    folder = runtime_folder(settings.data_dir)
    with ExitStack() as stack:
        output = stack.enter_context(_log_file(folder)) if quiet else sys.stderr.buffer
        # Children stop in reverse order: the worker needs Redis to shut down cleanly.
        for command in (
            Command("redis", server_command(folder), os.environ, folder / "redis.lock", grace_seconds=0, output=output),
            Command(
                "worker",
                # -P: a folder named `app` in the current directory must not be imported.
                [sys.executable, "-P", "-m", "app", "worker"],
                _worker_environment(settings.data_dir, str(completed.redis_url)),
                folder / "worker.lock",
                grace_seconds=_WORKER_GRACE_SECONDS,
                output=output,
            ),
        ):
            child = Child(command)
            child.start()
            stack.callback(child.stop)
        yield BackgroundProcesses(completed, owned=True)


def _log_file(folder: Path) -> IO[bytes]:
    path = folder / "worker.log"
    too_large = path.exists() and path.stat().st_size > _MAX_LOG_BYTES
    return path.open("wb" if too_large else "ab")


def _worker_environment(data_dir: Path, redis_url: str) -> Mapping[str, str]:
    return {**os.environ, "TRAWL_DATA_DIR": str(data_dir.absolute()), "TRAWL_REDIS_URL": redis_url}
